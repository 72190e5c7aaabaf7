// The console on a running Druid: `cargo xtask test --druid --only journeys`. What is judged is what a person sees, and
// what the Overlord and the Broker say behind the console's back.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { launch, openPage, visit } from "../harness/browser.mjs";
import { ask, behindProxy, datasource, overlord, revive, rows, source, state, submitElsewhere, tasks, until } from "../harness/druid.mjs";
import { card, plan, runs, says, spec, submit } from "../harness/runs.mjs";

const SHOTS = fileURLToPath(new URL("../../../shots/on-druid/", import.meta.url));
const NETWORK = [/Failed to load resource/, /ERR_/, /Failed to fetch/];

let browser, server;
before(async () => { mkdirSync(SHOTS, { recursive: true }); [browser, server] = await Promise.all([launch(), behindProxy()]); });
after(async () => { await browser?.close(); await server?.stop(); });

function journey(name, steps) {
  test(name, { timeout: 300_000 }, async () => {
    server.cut(() => undefined);
    const { page, context, complaints } = await openPage(browser, { expected: NETWORK });
    page.setDefaultTimeout(30_000);
    const shot = (label) => page.screenshot({ path: `${SHOTS}${label}.png`, fullPage: true });
    try {
      await visit(page, server.address);
      await steps({ page, context, shot });
      assert.deepEqual(complaints, [], "the browser complained");
    } catch (error) {
      await shot(`failed-${name.replace(/[^\w]+/g, "-").slice(0, 60)}`).catch(() => {});
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** The task of `spec`, reading what the source gives. */
function reading(name, input, change = {}) {
  const task = spec(name, change);
  task.spec.ioConfig.inputSource = input;
  return task;
}

/** The rows that `spec` has inline. */
const lines = (task) => task.spec.ioConfig.inputSource.data;

/** Plans the task in the page and sends it; its id. */
async function send(page, task) {
  const id = await plan(page, task);
  await submit(page);
  await runs(page);
  return id;
}

journey("a plan is sent once, ends as foreseen, and its rows are served", async ({ page, shot }) => {
  const name = datasource("whole");
  const id = await plan(page, spec(name));
  await shot("planned");
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/, 90_000);
  await shot("as-foreseen");
  assert.deepEqual(await tasks(name), [id]);
  await until("three rows are served", async () => (await rows(name)) === 3);
  await page.evaluate(() => { location.hash = "#/plan"; });
  // What is there now is seen: the same plan would replace three chunks with data.
  await plan(page, spec(name, { n: 2 }));
  await page.getByRole("radio", { name: "Table" }).click();
  await page.locator("table.table tbody tr").filter({ hasText: "new rows" }).first().waitFor();
  await shot("planned-again");
});

journey("the same content from another browser is found to have run, and is not sent again", async ({ page, context, shot }) => {
  const name = datasource("once");
  const id = await send(page, spec(name));
  await says(page, id, /As foreseen/, 90_000);
  const other = await (await context.browser().newContext({ timezoneId: "UTC" })).newPage();
  await visit(other, server.address);
  await plan(other, spec(name));
  await submit(other);
  await runs(other);
  await says(other, id, /already run with this very content.*Nothing was sent/);
  await other.screenshot({ path: `${SHOTS}ran-already.png`, fullPage: true });
  await other.context().close();
  await shot("ran-first");
  assert.deepEqual(await tasks(name), [id]);
});

journey("a first run that fails leaves its id used; the next version is sent and gets through", async ({ page, shot }) => {
  const name = datasource("fails_once");
  const from = await source(lines(spec(name)));
  try {
    from.say("this is no JSON");
    from.open();
    const task = reading(name, from.input);
    task.spec.tuningConfig.maxParseExceptions = 0;
    const id = await send(page, task);
    await until("the first run fails", async () => (await state(id)) === "FAILED", { timeout: 90_000 });
    from.say(lines(spec(name)));
    await page.getByText(/As foreseen/).first().waitFor({ timeout: 120_000 });
    await shot("failed-once");
    const ids = await tasks(name);
    assert.equal(ids.length, 2, `${ids}`);
    assert.ok(ids.includes(id));
    assert.match(await page.getByRole("article").first().innerText(), new RegExp(`Before:\\s+${id}\\s+\\(version v1\\) FAILED`));
  } finally {
    from.close();
  }
});

journey("a run behind another's lock waits, says so, and runs when the lock is free", async ({ page, shot }) => {
  const name = datasource("behind");
  const from = await source(lines(spec(name)));
  try {
    const holder = await submitElsewhere({ ...reading(name, from.input), id: `${name}_holder` });
    await until("the holder reads", async () => from.asked() > 0);
    const id = await plan(page, spec(name, { n: 2 }));
    await page.locator("#findings").getByText(new RegExp(holder)).first().waitFor();
    await shot("lock-held");
    await submit(page);
    await runs(page);
    await card(page, id).getByText(/waits|waiting/i).first().waitFor();
    await shot("waiting");
    from.open();
    await until("the holder ends", async () => (await state(holder)) === "SUCCESS");
    await until("the run ends", async () => (await state(id)) === "SUCCESS", { timeout: 90_000 });
    await says(page, id, /foreseen/i, 60_000);
    await shot("waited");
    await until("the later rows are served", async () => {
      const { body } = await ask("/druid/v2/sql", { query: `SELECT MIN("n") AS n, COUNT(*) AS c FROM "${name}"` });
      return body?.[0]?.n === 2 && body[0].c === 3;
    });
  } finally {
    from.close();
  }
});

journey("a run that loses its lock to a higher priority is told to be lost, and ends by Cancel", async ({ page, shot }) => {
  const name = datasource("evicted");
  const from = await source(lines(spec(name)));
  try {
    const task = reading(name, from.input);
    task.context = { priority: 10 };
    const id = await send(page, task);
    await until("the run reads", async () => from.asked() > 0);
    const stronger = await submitElsewhere({ ...spec(name, { n: 7 }), id: `${name}_stronger`, context: { priority: 90 } });
    await until("the stronger ends", async () => (await state(stronger)) === "SUCCESS");
    from.open();
    await card(page, id).getByText(/lost its lock/i).first().waitFor({ timeout: 90_000 });
    assert.equal(await state(id), "RUNNING", "it does not end by itself");
    await shot("evicted");
    await card(page, id).getByRole("button", { name: "Cancel" }).click();
    const dialog = page.getByRole("dialog");
    if (await dialog.isVisible().catch(() => false)) await dialog.getByRole("button", { name: /cancel the run|cancel it|yes/i }).first().click();
    await until("it ends", async () => (await state(id)) === "FAILED", { timeout: 60_000 });
  } finally {
    from.close();
  }
});

// Each call of the protocol, cut in each way, once: the run is found, runs once, and ends as foreseen.
const STEPS = [
  ["the locks are read", ({ url }) => /activeLocks|lockedIntervals/.test(url)],
  ["the segments are read", ({ url }) => /segments/.test(url)],
  ["the task is submitted", ({ method, url }) => method === "POST" && url === "/druid/indexer/v1/task"],
  ["the status is asked for", ({ url }) => /\/task\/[^/]+\/status$/.test(url)],
];
const WAYS = ["refused", "half", "torn"];

for (const [step, fits] of STEPS) {
  for (const way of WAYS) {
    journey(`cut where ${step} (${way}): the run is neither lost nor made twice`, async ({ page, shot }) => {
      const name = datasource(`cut_${STEPS.findIndex(([label]) => label === step)}_${way}`);
      const id = await plan(page, spec(name));
      let left = 1;
      server.cut((request) => (left > 0 && fits(request) ? ((left -= 1), way) : undefined));
      await submit(page);
      await runs(page);
      await says(page, id, /As foreseen/, 120_000);
      assert.equal(left, 0, "nothing was cut");
      await shot(`cut-${STEPS.findIndex(([label]) => label === step)}-${way}`);
      assert.deepEqual(await tasks(name), [id]);
    });
  }
}

// The Overlord is killed while the submit is under way: before it has it, and after it has it and has not answered.
for (const [moment, way] of [["before it has the task", "refused"], ["when it has the task and has not answered", "half"]]) {
  journey(`the Overlord dies ${moment} and comes back: the run is neither lost nor made twice`, async ({ page, shot }) => {
    // It is away for some twenty seconds: nobody should have to try again by hand.
    await page.evaluate(() => localStorage.setItem("foreshadow.patience", JSON.stringify({ attempts: 20 })));
    await page.reload();
    const name = datasource(`killed_${way}`);
    const id = await plan(page, spec(name));
    const pid = await overlord();
    let killed = false;
    server.cut(({ method, url }) => {
      if (killed || method !== "POST" || url !== "/druid/indexer/v1/task") return undefined;
      killed = true;
      if (way === "refused") process.kill(pid, "SIGKILL");
      return way;
    }, () => { if (way === "half") process.kill(pid, "SIGKILL"); });
    await submit(page);
    await runs(page);
    await until("the Overlord is killed", async () => killed);
    await page.waitForTimeout(1500);
    await shot(`killed-${way}`);
    await revive();
    await says(page, id, /As foreseen/, 180_000);
    await shot(`killed-${way}-after`);
    assert.deepEqual(await tasks(name), [id]);
  });
}
