// A picture of every page in every state that matters: light, dark, and 400 pixels wide.
//
//   cargo xtask shots [--only TEXT] [--readme]
//
// To add one, add an entry to SHOTS: the page's address, and the steps a person would take to come to that state.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { NARROW, drawn, launch, openPage, settled, visit } from "./harness/browser.mjs";
import { confirmAll, runs, says, submit } from "./harness/runs.mjs";
import { serve } from "./harness/server.mjs";

const DESK = { width: 1440, height: 900 };
const VARIANTS = [
  { name: "light", theme: "light", viewport: DESK },
  { name: "dark", theme: "dark", viewport: DESK },
  { name: "narrow", theme: "light", viewport: NARROW },
];

/** No text of these may be JSON: what the console says of it is the picture. */
const BROKEN = '{\n  "type": "index_parallel",\n  "spec": %%SPEC%%\n}';

/** A task in an older form, with something that has no counterpart. */
const OLD = JSON.stringify(
  {
    type: "index_hadoop",
    spec: {
      dataSchema: {
        dataSource: "events_web",
        parser: {
          type: "hadoopyString",
          parseSpec: { format: "json", timestampSpec: { column: "ts", format: "iso" }, dimensionsSpec: { dimensions: ["country"] } },
        },
        granularitySpec: { segmentGranularity: "HOUR", intervals: ["2026-07-16/2026-07-17"] },
      },
      ioConfig: { type: "hadoop", inputSpec: { type: "static", paths: "s3n://lake/events/web/" } },
      tuningConfig: { type: "hadoop", jobProperties: { "mapreduce.map.memory.mb": 1024 } },
    },
  },
  null,
  2,
);

const radio = (page, name) => page.getByRole("radio", { name, exact: true }).click();

async function widen(page) {
  await page.getByRole("radiogroup", { name: "Segment granularity" }).getByRole("radio", { name: "Day" }).click();
  await page.getByRole("textbox", { name: "From" }).fill("2026-07-16T06:00Z");
  await page.getByRole("textbox", { name: "To" }).fill("2026-07-17T18:00Z");
  await page.getByText(/more than typed/).first().waitFor();
}

/** An append that the server takes: of the chunks without rows known, either / or. */
async function appendable(page) {
  await radio(page, "Append");
  await page.getByRole("button", { name: "Append with dynamic partitions" }).click();
  await page.getByText(/The server will refuse/).waitFor({ state: "detached" });
}

/** The story of a bar that this run would hide. */
async function story(page) {
  const box = await page.getByRole("application").boundingBox();
  await page.mouse.click(box.x + box.width * 0.55, box.y + box.height * 0.53);
  await page.getByRole("button", { name: "Close" }).waitFor();
}

async function takeOld(page) {
  await typeInto(page, OLD);
  await page.locator("#import-take").click();
  await page.locator('#findings li[data-check="old-form"]').waitFor();
}

async function showUpgrade(page, at) {
  await takeOld(page);
  await page.getByRole("button", { name: "Show the upgrade" }).click();
  await page.locator(at).scrollIntoViewIfNeeded();
}

async function typeInto(page, text) {
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill(text);
}

/** Leaves a draft that no plan can be read from, and comes back. */
async function leaveUnreadable(page) {
  await page.evaluate(() => localStorage.setItem("foreshadow.draft", "{ \"kind\": \"fore"));
  await page.reload();
  await page.getByText(/could not be read/).waitFor();
  await settled(page);
}

/** From now on the part at the desk does not come. */
const cutDesk = (page) => page.route("**/split_desk.wasm", (route) => route.abort());

async function comeBackWithoutDesk(page) {
  await page.evaluate(() => localStorage.setItem("foreshadow.draft", "{}"));
  await cutDesk(page);
  await page.reload();
  await page.getByText(/could not be loaded/).waitFor();
}

async function typeWithoutDesk(page) {
  await cutDesk(page);
  await page.getByRole("textbox", { name: "From" }).fill("2026-07-16T05:00Z");
  await page.getByText(/What you change is not kept yet/).waitFor();
}

async function send(page) {
  await submit(page);
  await page.waitForFunction(() => document.querySelector("#submit")?.getAttribute("aria-disabled") === "true");
}

async function asForeseen(page) {
  const id = await page.locator("#task-id").innerText();
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/, 45_000);
}

/**
 * `steps`: what a person does to come to that state; `whole`: the page to its end, not only what the window shows;
 * `sends`: it changes the cluster, so it gets one of its own.
 */
const SHOTS = [
  { name: "plan", path: "/#/plan" },
  { name: "plan-now", path: "/#/plan?view=now" },
  { name: "plan-difference", path: "/#/plan?view=difference" },
  { name: "plan-whole", path: "/#/plan", whole: true },
  { name: "plan-table", path: "/#/plan", steps: (page) => radio(page, "Table") },
  { name: "plan-widened", path: "/#/plan", steps: widen },
  { name: "plan-append", path: "/#/plan", steps: (page) => radio(page, "Append") },
  { name: "plan-append-either", path: "/#/plan", steps: appendable },
  { name: "plan-story", path: "/#/plan", steps: story },
  {
    name: "plan-passed",
    path: "/#/plan",
    steps: (page) => page.getByRole("button", { name: "show what passed" }).click(),
  },
  { name: "plan-confirmed", path: "/#/plan", steps: confirmAll },
  { name: "plan-json", path: "/#/plan", steps: (page) => page.getByRole("tab", { name: "JSON" }).click() },
  {
    name: "plan-json-error",
    path: "/#/plan",
    steps: async (page) => {
      await typeInto(page, BROKEN);
      await page.locator("#import-take").click();
      await page.getByRole("tab", { name: "JSON" }).click();
    },
  },
  { name: "plan-import", path: "/#/plan", steps: (page) => typeInto(page, BROKEN) },
  { name: "plan-old-form", path: "/#/plan", steps: takeOld, whole: true },
  { name: "plan-upgrade", path: "/#/plan", steps: (page) => showUpgrade(page, "#upgrade-left") },
  { name: "plan-upgrade-diff", path: "/#/plan", steps: (page) => showUpgrade(page, "#upgrade-take") },
  { name: "plan-id", path: "/#/plan", steps: (page) => page.locator("#explain-id").click() },
  { name: "plan-draft-unread", path: "/#/plan", steps: leaveUnreadable },
  { name: "plan-draft-waits", path: "/#/plan", steps: comeBackWithoutDesk },
  { name: "plan-draft-not-kept", path: "/#/plan", steps: typeWithoutDesk },
  { name: "plan-sending", path: "/#/plan", steps: send, sends: true },
  { name: "runs-none", path: "/#/runs" },
  { name: "runs-foreseen", path: "/#/plan", steps: asForeseen, sends: true, whole: true },
  { name: "kit", path: "/#/kit", whole: true },
];

async function take(browser, address, folder, shot, variant) {
  const file = `${shot.name}-${variant.name}.png`;
  const { page, context, complaints } = await openPage(browser, variant);
  page.setDefaultTimeout(15_000);
  try {
    await visit(page, address, shot.path);
    if (shot.path.startsWith("/#/plan")) {
      await drawn(page);
      await settled(page);
    }
    await shot.steps?.(page);
    // Two frames: what the last step changed is laid out and painted.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: join(folder, file), fullPage: Boolean(shot.whole) });
    for (const complaint of complaints) console.error(`shots: ${file}: ${complaint}`);
    console.error(`shots: ${join(folder, file)}`);
  } catch (error) {
    error.message = `${file}: ${error.message}`;
    throw error;
  } finally {
    await context.close();
  }
}

async function main([folder, only = ""]) {
  mkdirSync(folder, { recursive: true });
  const browser = await launch();
  const shared = await serve();
  const failed = [];
  let tried = 0;
  try {
    for (const shot of SHOTS) {
      for (const variant of VARIANTS.filter((variant) => `${shot.name}-${variant.name}`.includes(only))) {
        const server = shot.sends ? await serve() : shared;
        tried += 1;
        await take(browser, server.address, folder, shot, variant).catch((error) => failed.push(error.message));
        if (server !== shared) await server.stop();
      }
    }
  } finally {
    await browser.close();
    await shared.stop();
  }
  if (tried === 0) failed.push(`no picture has a name with “${only}” in it`);
  for (const message of failed) console.error(`shots: FAILED ${message}`);
  process.exitCode = failed.length ? 1 : 0;
}

await main(process.argv.slice(2));
