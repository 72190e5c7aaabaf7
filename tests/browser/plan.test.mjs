// The Plan page as a person uses it, on the built-in cluster.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { site } from "./harness/site.mjs";
import { NARROW, settled } from "./harness/browser.mjs";

const { journey } = site();

/** A Hadoop task as people have kept it for years. */
const OLD = `{
  "type": "index_hadoop",
  "spec": {
    "dataSchema": {
      "dataSource": "events_web",
      "parser": {
        "type": "hadoopyString",
        "parseSpec": {
          "format": "json",
          "timestampSpec": {"column": "ts",   "format": "iso"},
          "dimensionsSpec": {"dimensions": ["country"]}
        }
      },
      "granularitySpec": {"segmentGranularity": "HOUR", "intervals": ["2026-07-16/2026-07-17"]}
    },
    "ioConfig": {"type": "hadoop", "inputSpec": {"type": "static", "paths": "s3n://lake/events/web/"}},
    "tuningConfig": {"type": "hadoop", "maxRowsInMemory": 1E5, "jobProperties": {"a": "b"}}
  }
}
`;

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

journey("a task in an older form is upgraded behind a diff, and undo brings it back byte for byte", async ({ page, axe }) => {
  await settled(page);
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill(OLD);
  await page.locator("#import-take").click();
  const finding = page.locator('#findings li[data-check="old-form"]');
  assert.match(await finding.innerText(), /index_hadoop, parser/);
  await finding.getByRole("button", { name: "Show the upgrade" }).click();
  const diff = page.locator("#upgrade-diff");
  assert.match(await diff.innerText(), /^- .*"index_hadoop"/m);
  assert.match(await diff.innerText(), /^\+ .*"inputFormat": /m);
  assert.match(await text(page, "#upgrade-left"), /jobProperties is kept as _jobProperties: there is no Hadoop job/);
  await axe();
  // Cancelled, it has changed nothing.
  await page.getByRole("button", { name: "Cancel" }).click();
  await finding.getByRole("button", { name: "Show the upgrade" }).click();
  await page.locator("#upgrade-take").click();
  await page.getByText(/Upgraded\. A native batch task of events_web/).waitFor();
  assert.equal(await finding.count(), 0);
  await page.getByRole("tab", { name: "JSON" }).click();
  const area = page.getByLabel("Specification as JSON");
  const upgraded = JSON.parse(await area.inputValue());
  assert.equal(upgraded.type, "index_parallel");
  assert.deepEqual(upgraded.spec.ioConfig.inputSource, { type: "s3", prefixes: ["s3://lake/events/web/"] });
  assert.deepEqual(upgraded.spec.tuningConfig._jobProperties, { a: "b" });
  await page.getByRole("button", { name: /^Undo.*the upgrade/ }).click();
  assert.equal(await area.inputValue(), OLD);
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

const DRAFT = "foreshadow.draft";
const UNREAD = "foreshadow.draft.unread";
const kept = (page, key = DRAFT) => page.evaluate((key) => localStorage.getItem(key), key);
const isKept = (page, text) => page.waitForFunction(([key, text]) => localStorage.getItem(key)?.includes(text), [DRAFT, text]);
const leave = (page, draft) => page.evaluate(([key, draft]) => localStorage.setItem(key, draft), [DRAFT, draft]);
const from = (page) => page.getByRole("textbox", { name: "From" });
const PART = [/Failed to load resource/, /ERR_/, /Failed to fetch/, /wasm/i, /WebAssembly/];

journey("what was typed is there again at the next visit", async ({ page }) => {
  await settled(page);
  await from(page).fill("2026-07-16T05:00Z");
  await isKept(page, "2026-07-16T05:00");
  await page.reload();
  await from(page).waitFor();
  assert.match(await from(page).inputValue(), /^2026-07-16T05:00/);
});

journey("the last edit is there again though the page is left in the same moment", async ({ page }) => {
  await settled(page);
  await from(page).fill("2026-07-16T05:00Z");
  await isKept(page, "2026-07-16T05:00");
  // In one turn of the browser: no timer of the page comes between.
  await from(page).evaluate((field) => {
    field.value = "2026-07-16T07:00Z";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    location.reload();
  });
  await page.waitForEvent("load");
  await from(page).waitFor();
  assert.match(await from(page).inputValue(), /^2026-07-16T07:00/);
});

journey("a draft holds no secret, and the next visit says which to give again", async ({ page }) => {
  await settled(page);
  const spec = { type: "index_parallel", spec: { dataSchema: { dataSource: "secrets" }, ioConfig: { type: "index_parallel", inputSource: { type: "s3", prefixes: ["s3://bucket/day/"], properties: { accessKeyId: "example", secretAccessKey: "hunter2" } } } } };
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill(JSON.stringify(spec));
  await page.locator("#import-take").click();
  await isKept(page, "s3://bucket/day/");
  assert.ok(!(await kept(page)).includes("hunter2"), await kept(page));
  await page.reload();
  await page.getByText(/Secrets are not kept in this browser. Give them again: .*secretAccessKey/).waitFor();
});

const UNREADABLE = [
  ["that is no JSON", "{ \"kind\": \"foreshadow", /This is not JSON: line 1/],
  ["that is no plan", '{"type":"index_parallel"}', /This is JSON, but no plan/],
  ["of a newer version", '{"kind":"foreshadow plan","format":99,"document":"{}"}', /newer version/],
];
for (const [what, left, why] of UNREADABLE) {
  journey(`a draft ${what} is put aside, which is said, and nothing is written over it`, async ({ page, axe }) => {
    await settled(page);
    await leave(page, left);
    await page.reload();
    const says = page.getByRole("status").filter({ hasText: /could not be read, so it was put aside in this browser/ });
    await says.waitFor();
    assert.match(await says.innerText(), why);
    assert.deepEqual([await kept(page), await kept(page, UNREAD)], [null, left]);
    await axe();
    // The plan that the page opens on is kept beside it.
    await from(page).fill("2026-07-16T05:00Z");
    await isKept(page, "2026-07-16T05:00");
    await page.reload();
    await says.waitFor();
    assert.match(await from(page).inputValue(), /^2026-07-16T05:00/);
    assert.equal(await kept(page, UNREAD), left);
    const [file] = await Promise.all([page.waitForEvent("download"), says.getByRole("button", { name: "Save it as a file" }).click()]);
    assert.equal(readFileSync(await file.path(), "utf8"), left);
    await says.getByRole("button", { name: "Remove it" }).click();
    await says.waitFor({ state: "detached" });
    assert.equal(await kept(page, UNREAD), null);
  });
}

journey("at 400 px a message can be read beside its buttons", { viewport: NARROW }, async ({ page, axe }) => {
  await settled(page);
  await leave(page, JSON.stringify({ kind: "foreshadow plan", format: 99, document: "{}" }));
  await page.reload();
  const says = page.getByText(/could not be read, so it was put aside/);
  await says.waitFor();
  await settled(page);
  assert.ok((await says.boundingBox()).width > 250, "the text has room");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing to scroll sideways");
  await axe();
});

journey("the task in a draft of a newer version can be imported", async ({ page }) => {
  await settled(page);
  const task = '{"type":"kill","id":"k","dataSource":"events_web","interval":"2026-07-16/2026-07-17"}';
  await leave(page, JSON.stringify({ kind: "foreshadow plan", format: 99, document: task }));
  await page.reload();
  await page.getByRole("button", { name: "Import its task" }).click();
  await page.getByText(/^Imported/).waitFor();
  await isKept(page, '\\"kill\\"');
});

journey("a second draft that cannot be read is put aside under the first", async ({ page }) => {
  await settled(page);
  await page.evaluate((key) => localStorage.setItem(key, "first"), UNREAD);
  await leave(page, "second");
  await page.reload();
  await page.getByText(/could not be read, so it was put aside/).waitFor();
  await page.waitForFunction((key) => localStorage.getItem(key) === null, DRAFT);
  assert.equal(await kept(page, UNREAD), "first\nsecond");
});

journey("a draft waits for the part that reads it, and comes at the second try", { expected: PART }, async ({ page }) => {
  await settled(page);
  await from(page).fill("2026-07-16T05:00Z");
  await isKept(page, "2026-07-16T05:00");
  const left = await kept(page);
  let cut = true;
  await page.route("**/split_desk.wasm", (route) => (cut ? route.abort() : route.continue()));
  await page.reload();
  await page.getByText(/A part of the console could not be loaded/).waitFor();
  await page.getByText(/The plan you left here is kept in this browser/).waitFor();
  assert.equal(await kept(page), left);
  // Elsewhere the console goes on, and coming back does not lose it.
  await page.evaluate(() => { location.hash = "#/runs"; });
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  await page.evaluate(() => { location.hash = "#/plan"; });
  await page.getByText(/The plan you left here is kept in this browser/).waitFor();
  assert.equal(await kept(page), left);
  cut = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await from(page).waitFor();
  assert.match(await from(page).inputValue(), /^2026-07-16T05:00/);
  await settled(page);
});

journey("where the part that keeps the plan does not come, that is said until it does", { expected: PART }, async ({ page, axe }) => {
  let cut = true;
  await page.route("**/split_desk.wasm", (route) => (cut ? route.abort() : route.continue()));
  await settled(page);
  await from(page).fill("2026-07-16T05:00Z");
  const says = page.getByRole("status").filter({ hasText: /What you change is not kept yet/ });
  await says.waitFor();
  await axe();
  assert.equal(await kept(page), null);
  cut = false;
  await says.getByRole("button", { name: "Try again" }).click();
  await isKept(page, "2026-07-16T05:00");
  await says.waitFor({ state: "detached" });
});

journey("a browser that keeps nothing says so once", async ({ page }) => {
  await page.evaluate(() => {
    [globalThis.full, globalThis.refused] = [true, 0];
    const put = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, text) {
      if (globalThis.full && this === localStorage && key === "foreshadow.draft") {
        globalThis.refused += 1;
        throw new DOMException("It is full.", "QuotaExceededError");
      }
      return put.call(this, key, text);
    };
  });
  await settled(page);
  const says = page.getByRole("status").filter({ hasText: /cannot be kept in this browser/ });
  await from(page).fill("2026-07-16T05:00Z");
  await says.waitFor();
  await says.getByRole("button", { name: "Close" }).click();
  await from(page).fill("2026-07-16T06:00Z");
  await page.waitForFunction(() => globalThis.refused >= 2);
  assert.equal(await says.count(), 0, "it is said once");
  // With room again the next change is kept.
  await page.evaluate(() => { globalThis.full = false; });
  await from(page).fill("2026-07-16T08:00Z");
  await isKept(page, "2026-07-16T08:00");
});

journey("a draft that can neither be read nor put aside stays where it is until it is removed", async ({ page, context }) => {
  await settled(page);
  await leave(page, "not a plan");
  await context.addInitScript(() => {
    const put = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, text) {
      if (key.endsWith(".unread")) throw new DOMException("It is full.", "QuotaExceededError");
      return put.call(this, key, text);
    };
  });
  await page.reload();
  const says = page.getByRole("status").filter({ hasText: /stays in this browser as it was/ });
  await says.waitFor();
  // Leaving the page would keep what was typed at once.
  await from(page).fill("2026-07-16T05:00Z");
  await page.reload();
  await says.waitFor();
  assert.equal(await kept(page), "not a plan");
  const [file] = await Promise.all([page.waitForEvent("download"), says.getByRole("button", { name: "Save it as a file" }).click()]);
  assert.equal(readFileSync(await file.path(), "utf8"), "not a plan");
  await from(page).fill("2026-07-16T05:00Z");
  await says.getByRole("button", { name: "Remove it" }).click();
  await isKept(page, "2026-07-16T05:00");
  await says.waitFor({ state: "detached" });
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
