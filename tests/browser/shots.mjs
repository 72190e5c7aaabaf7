// A picture of every page in every state that matters: light, dark, and 400 pixels wide.
//
//   cargo xtask shots [--only TEXT] [--readme]
//
// To add one, add an entry to SHOTS: the page's address, and the steps a person would take to come to that state.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { NARROW, drawn, launch, openPage, visit } from "./harness/browser.mjs";
import { serve } from "./harness/server.mjs";

const DESK = { width: 1440, height: 900 };
const VARIANTS = [
  { name: "light", theme: "light", viewport: DESK },
  { name: "dark", theme: "dark", viewport: DESK },
  { name: "narrow", theme: "light", viewport: NARROW },
];

/** `forecast`: wait until the segments are read and drawn; `whole`: the page to its end, not only what the window shows. */
const SHOTS = [
  { name: "plan", path: "/#/plan", forecast: true },
  { name: "runs", path: "/#/runs" },
  { name: "kit", path: "/#/kit", whole: true },
];

async function main([folder, only = ""]) {
  mkdirSync(folder, { recursive: true });
  const server = await serve();
  const browser = await launch();
  let taken = 0;
  try {
    for (const { name, path, forecast, whole, steps } of SHOTS) {
      for (const variant of VARIANTS) {
        const file = `${name}-${variant.name}.png`;
        if (!file.includes(only)) continue;
        const { page, context, complaints } = await openPage(browser, variant);
        await visit(page, server.address, path);
        if (forecast) await drawn(page);
        await steps?.(page);
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(folder, file), fullPage: Boolean(whole) });
        for (const complaint of complaints) console.error(`shots: ${file}: ${complaint}`);
        await context.close();
        taken += 1;
        console.error(`shots: ${join(folder, file)}`);
      }
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  if (taken === 0) throw new Error(`no picture has a name with “${only}” in it`);
}

await main(process.argv.slice(2));
