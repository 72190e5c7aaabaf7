// Planning, sending and watching a run, as a person does it; and asking the cluster behind the console's back.

import assert from "node:assert/strict";

import { settled } from "./browser.mjs";

/** A small task of its own datasource: rows inline, one a day from 2026-03-01. */
export function spec(datasource, { days = 3, interval, append = false, n = 1 } = {}) {
  const day = (i) => new Date(Date.UTC(2026, 2, 1 + i)).toISOString();
  const rows = Array.from({ length: days }, (_, i) => JSON.stringify({ ts: day(i), page: "a", n }));
  return {
    type: "index_parallel",
    spec: {
      dataSchema: {
        dataSource: datasource,
        timestampSpec: { column: "ts", format: "iso" },
        dimensionsSpec: { dimensions: ["page", { type: "long", name: "n" }] },
        granularitySpec: { segmentGranularity: "DAY", queryGranularity: "NONE", rollup: false, intervals: [interval ?? `${day(0)}/${day(days)}`] },
      },
      ioConfig: { type: "index_parallel", inputSource: { type: "inline", data: rows.join("\n") }, inputFormat: { type: "json" }, appendToExisting: append, dropExisting: false },
      tuningConfig: { type: "index_parallel", partitionsSpec: { type: "dynamic" } },
    },
  };
}

/** Makes this task the plan; its id. */
export async function plan(page, task) {
  await settled(page);
  await page.locator("#import").click();
  await page.getByLabel("Text", { exact: true }).fill(JSON.stringify(task, null, 2));
  await page.locator("#import-take").click();
  await page.waitForFunction((name) => document.querySelector("#task-id")?.textContent.startsWith(`idx_${name}_`), task.spec.dataSchema.dataSource);
  await settled(page);
  return page.locator("#task-id").innerText();
}

/** Says yes to every warning, one by one. */
export async function confirmAll(page) {
  await settled(page);
  const open = page.locator("#findings").getByRole("button", { name: "It is meant" });
  for (let left = await open.count(); left > 0; left = await open.count()) await open.first().click();
}

/** Presses Submit, which must not be blocked. */
export async function submit(page) {
  await confirmAll(page);
  await page.waitForFunction(() => document.querySelector("#submit")?.getAttribute("aria-disabled") === "false").catch(async () => {
    assert.fail(`submission is blocked: ${await page.locator("#submit").innerText()}`);
  });
  await page.locator("#submit").click();
}

/** Goes to the Runs page without leaving the console. */
export async function runs(page) {
  await page.evaluate(() => { location.hash = "#/runs"; });
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
}

/** The card of a run. */
export const card = (page, id) => page.getByRole("article", { name: `Run ${id}` });

/** Waits until the card of a run says this. */
export async function says(page, id, words, timeout = 30_000) {
  const status = card(page, id).getByRole("status");
  await status.filter({ hasText: words }).waitFor({ timeout }).catch(async () => {
    const all = await page.getByRole("article").allInnerTexts();
    assert.fail(`${id} never said ${words}; the page says:\n${all.join("\n---\n")}`);
  });
}

/** Counts the submits that leave the page; `answer(route, count)` may treat them. */
export async function watchSubmits(page, answer = (route) => route.continue()) {
  const sent = [];
  await page.route("**/druid/indexer/v1/task", async (route) => {
    sent.push(JSON.parse(route.request().postData()).id);
    await answer(route, sent.length);
  });
  return sent;
}

/** A call to the cluster behind the console's back. */
export async function ask(server, path, body) {
  const headers = { "content-type": "application/json", "x-foreshadow": "1", accept: "application/json" };
  const answer = await fetch(server.address + path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
}

/** Runs a task behind the console's back and waits until it is over. */
export async function runElsewhere(server, task) {
  const submitted = await ask(server, "/druid/indexer/v1/task", task);
  assert.equal(submitted.status, 200, JSON.stringify(submitted));
  for (let look = 0; look < 100; look += 1) {
    const { body } = await ask(server, `/druid/indexer/v1/task/${submitted.body.task}/status`);
    if (body.status.statusCode !== "RUNNING") return body.status;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return assert.fail("the task did not end");
}

/** How many tasks of a datasource the cluster knows. */
export async function tasks(server, datasource) {
  const { body } = await ask(server, `/druid/indexer/v1/tasks?datasource=${datasource}`);
  return body;
}
