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
  { name: "plan-now", path: "/#/plan?view=now", forecast: true },
  { name: "plan-difference", path: "/#/plan?view=difference", forecast: true },
  { name: "plan-table", path: "/#/plan", forecast: true, steps: (page) => radio(page, "As", "Table") },
  { name: "plan-widened", path: "/#/plan", forecast: true, steps: widen },
  { name: "plan-append", path: "/#/plan", forecast: true, steps: (page) => radio(page, "Mode", "Append") },
  { name: "plan-json", path: "/#/plan", forecast: true, steps: (page) => page.getByRole("tab", { name: "JSON" }).click() },
  { name: "plan-json-broken", path: "/#/plan", forecast: true, steps: breakJson },
  { name: "plan-import", path: "/#/plan", forecast: true, steps: importKill },
  { name: "plan-id", path: "/#/plan", forecast: true, steps: (page) => page.locator("#explain-id").click() },
  { name: "plan-new-york", path: "/#/plan?ds=metrics_ny", forecast: true },
  { name: "plan-new-datasource", path: "/#/plan?ds=brand_new", forecast: true },
  { name: "plan-sent", path: "/#/plan", forecast: true, steps: send },
  { name: "runs-empty", path: "/#/runs" },
  { name: "runs", path: "/#/plan", forecast: true, steps: async (page) => { await send(page); await page.getByRole("link", { name: "Runs" }).click(); await page.getByText(/^(not )?as foreseen$/).first().waitFor(); } },
  { name: "kit", path: "/#/kit", whole: true },
];

/** Chooses a word of a radio group. */
function radio(page, group, word) {
  return page.getByRole("radiogroup", { name: group, exact: true }).getByRole("radio", { name: word, exact: true }).click();
}

/** An interval that whole days do not fit. */
async function widen(page) {
  await radio(page, "Segment granularity", "Day");
  await page.getByRole("textbox", { name: "From" }).fill("2026-07-16T06:00Z");
  await page.getByRole("textbox", { name: "To" }).fill("2026-07-17T18:00Z");
  await page.getByText(/12 h more than typed/).waitFor();
}

async function breakJson(page) {
  await page.getByRole("tab", { name: "JSON" }).click();
  const area = page.getByLabel("Specification as JSON");
  await area.fill((await area.inputValue()).replace('"index_parallel"', "%%TYPE%%"));
}

async function importKill(page) {
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill('{ "type": "kill", "dataSource": "events_web", "interval": "2026-06-01/2026-06-02" }');
}

/** Says yes to every warning and sends. A version of its own each time: an id runs once. */
async function send(page) {
  await page.locator("#explain-id").click();
  await page.getByRole("textbox", { name: "Version" }).fill(`shot-${Date.now()}`);
  await page.keyboard.press("Escape");
  const yes = page.getByRole("button", { name: "It is meant" });
  while (await yes.count()) await yes.first().click();
  await page.locator("#submit").click();
  await page.locator(".run").waitFor();
}

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
