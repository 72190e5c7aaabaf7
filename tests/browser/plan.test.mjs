// The Plan page as a person uses it, on the built-in cluster.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { site } from "./harness/site.mjs";
import { NARROW, settled } from "./harness/browser.mjs";

const { journey } = site();

const text = (page, selector) => page.locator(selector).innerText();

journey("a first visitor sees the article's spec, already drawn", async ({ page, axe }) => {
  await settled(page);
  assert.equal(await page.getByRole("combobox", { name: "Datasource" }).inputValue(), "events_web");
  assert.equal(await text(page, "#task-id"), "idx_events_web_28cbd6885a6a");
  assert.match(await page.locator(".sum").innerText(), /\d/);
  assert.ok((await page.locator("#findings li").count()) > 0, "findings are shown");
  await axe();
});

journey("the id follows the version, with the text that was hashed", async ({ page, axe }) => {
  await settled(page);
  await page.locator("#explain-id").click();
  const version = page.getByLabel("Version", { exact: true });
  for (const [typed, id] of [["v2", "idx_events_web_61f9da8392af"], ["v3", "idx_events_web_f290698762e7"]]) {
    await version.fill(typed);
    await page.waitForFunction((id) => document.querySelector("#task-id").textContent === id, id);
    assert.equal(await text(page, "#hashed"), `events_web:2026-07-16T00:00:00Z/2026-07-17T00:00:00Z:${typed}`);
  }
  await axe();
  await page.keyboard.press("Escape");
});

journey("an unaligned interval is shown as widened, and undo takes it back", async ({ page }) => {
  await settled(page);
  await page.getByRole("radiogroup", { name: "Segment granularity" }).getByRole("radio", { name: "Day" }).click();
  await page.getByRole("textbox", { name: "From" }).fill("2026-07-16T06:00Z");
  await page.getByRole("textbox", { name: "To" }).fill("2026-07-17T18:00Z");
  await page.getByText(/12 h more than typed/).waitFor();
  assert.match(await text(page, "#submit"), /stop/i);
  const undo = page.getByRole("button", { name: /^Undo/ });
  for (let i = 0; i < 8 && (await undo.getAttribute("aria-disabled")) === "false"; i++) await undo.click();
  assert.equal(await page.getByRole("textbox", { name: "From" }).inputValue(), "2026-07-16T00:00:00Z");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await page.getByRole("radiogroup", { name: "Segment granularity" }).getByRole("radio", { name: "Day" }).getAttribute("aria-checked"), "true");
});

journey("an imported spec is exported byte for byte", async ({ page }) => {
  await settled(page);
  const odd = '{"type" : "index_parallel",\r\n\t"x": 1E3, "x": 9223372036854775806, "spec":{ }  }\n\n';
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill(odd.replace(/\r/g, ""));
  await page.locator("#import-take").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#export").click()]);
  assert.equal(readFileSync(await download.path(), "utf8"), odd.replace(/\r/g, ""));
});

journey("a text that is no JSON says where, and loses nothing", async ({ page }) => {
  await settled(page);
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill('{\n  "type": "index_parallel",\n  "spec": %%SPEC%%\n}');
  await page.getByText(/Line 3/).waitFor();
  await page.locator("#import-take").click();
  await page.getByRole("tab", { name: "JSON" }).waitFor();
  assert.match(await page.getByLabel("Specification as JSON").inputValue(), /%%SPEC%%/);
  await page.getByRole("button", { name: "3:11" }).first().waitFor();
});

journey("the address keeps datasource and view, and brings them back", async ({ page, server }) => {
  await settled(page);
  await page.getByRole("radio", { name: "Difference" }).click();
  await page.waitForFunction(() => location.hash.includes("view=difference"));
  assert.match(await page.evaluate(() => location.hash), /ds=events_web/);
  await page.goto(server.address + "/#/plan?ds=metrics_ny&view=now");
  await page.reload();
  await settled(page);
  assert.equal(await page.getByRole("combobox", { name: "Datasource" }).inputValue(), "metrics_ny");
  assert.equal(await page.getByRole("radio", { name: "Now", exact: true }).getAttribute("aria-checked"), "true");
});

journey("at 400 px nothing is cut off", { viewport: NARROW }, async ({ page, axe }) => {
  await settled(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px wider than the screen`);
  await axe();
});

journey("the table says what the picture shows", async ({ page, axe }) => {
  await settled(page);
  await page.getByRole("radio", { name: "Table" }).click();
  await page.locator("table.table tbody tr").first().waitFor();
  await axe();
});

journey("what was typed is there again at the next visit", async ({ page }) => {
  await settled(page);
  const from = page.getByRole("textbox", { name: "From" });
  await from.fill("2026-07-16T05:00Z");
  await page.waitForFunction(() => localStorage.getItem("foreshadow.draft")?.includes("2026-07-16T05:00"));
  await page.reload();
  await from.waitFor();
  assert.match(await from.inputValue(), /^2026-07-16T05:00/);
});

// Sending, the editor and the dialogs, and the kit page are fetched when they are first needed.
journey("a part that does not come says so, and comes at the second try", { expected: [/Failed to load resource/, /wasm/i, /WebAssembly/] }, async ({ page }) => {
  await settled(page);
  let cut = true;
  await page.route("**/split_desk.wasm", (route) => (cut ? route.fulfill({ status: 503, body: "" }) : route.continue()));
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByText(/A part of the console could not be loaded/).first().waitFor();
  assert.equal(await text(page, "#task-id"), "idx_events_web_28cbd6885a6a");
  cut = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("textbox", { name: "Specification as JSON" }).waitFor();
});
