// Every page, light and dark, wide and at 400 px: nothing serious by axe, nothing wider than the screen.

import assert from "node:assert/strict";

import { NARROW, WIDE, drawn } from "./harness/browser.mjs";
import { site } from "./harness/site.mjs";

const { journey } = site();

for (const path of ["/#/plan", "/#/runs", "/#/kit"]) {
  for (const theme of ["light", "dark"]) {
    for (const [width, viewport] of [["wide", WIDE], ["400 px", NARROW]]) {
      journey(`${path} is readable, ${theme}, ${width}`, { path, theme, viewport }, async ({ page, axe }) => {
        if (path === "/#/plan") await drawn(page);
        await axe();
        const more = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(more <= 0, `the page is ${more} px wider than the screen`);
      });
    }
  }
}
