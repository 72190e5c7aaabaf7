// Every page, light and dark, wide and at 400 px: nothing serious by axe, nothing wider than the screen, nothing cut off.

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

journey("at the desk only the panels scroll, however long the findings are", { path: "/#/plan", viewport: WIDE }, async ({ page }) => {
  await drawn(page);
  await page.getByRole("button", { name: "show what passed" }).click();
  const more = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.ok(more <= 0, `the page scrolls ${more} px into nothing`);
});

for (const [width, viewport] of [["wide", WIDE], ["400 px", NARROW]]) {
  journey(`the note beside the pointer is whole wherever the pointer is, ${width}`, { path: "/#/plan", viewport }, async ({ page }) => {
    await drawn(page);
    const picture = await page.getByRole("application").boundingBox();
    let seen = 0;
    for (const across of [0.08, 0.3, 0.49, 0.52, 0.6, 0.75, 0.98]) {
      for (const down of [0.35, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]) {
        await page.mouse.move(picture.x + picture.width * across, picture.y + picture.height * down);
        const cut = await page.evaluate(() => {
          const note = document.querySelector(".tl-tip");
          if (!note) return undefined;
          const [is, may] = [note.getBoundingClientRect(), document.querySelector(".view").getBoundingClientRect()];
          const over = [may.left - is.left, is.right - may.right, Math.max(may.top, 0) - is.top, note.scrollWidth - note.clientWidth];
          return { over: Math.max(...over), words: note.textContent };
        });
        if (!cut) continue;
        seen += 1;
        assert.ok(cut.over <= 0.5, `${cut.over} px of “${cut.words}” are cut off, the pointer at ${across}, ${down}`);
      }
    }
    assert.ok(seen > 5, `only ${seen} notes were seen`);
  });
}

journey("a click tells the story, and the picture stays where it is", { path: "/#/plan", viewport: { width: 1440, height: 900 } }, async ({ page }) => {
  await drawn(page);
  const picture = page.getByRole("application");
  const before = await picture.boundingBox();
  await page.mouse.click(before.x + before.width * 0.55, before.y + before.height * 0.53);
  await page.getByRole("button", { name: "Close" }).waitFor();
  assert.deepEqual(await picture.boundingBox(), before);
});

journey("at 400 px the story that a tap opens comes into sight", { path: "/#/plan", viewport: NARROW }, async ({ page }) => {
  await drawn(page);
  const picture = await page.getByRole("application").boundingBox();
  await page.mouse.click(picture.x + picture.width * 0.55, picture.y + picture.height * 0.68);
  const close = page.getByRole("button", { name: "Close" });
  await close.waitFor();
  await page.waitForFunction(() => scrollY > 0);
  const box = await close.boundingBox();
  const bar = await page.locator(".submit").boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= bar.y, `Close at ${box.y}, the bar at ${bar.y}`);
});
