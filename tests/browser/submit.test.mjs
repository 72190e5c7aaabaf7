// Sending: exactly once, whatever happens to the tab, the answers, the clock and the journal.

import assert from "node:assert/strict";

import { started, visit } from "./harness/browser.mjs";
import { site } from "./harness/site.mjs";
import { ask, card, confirmAll, plan, runElsewhere, runs, says, spec, submit, tasks, watchSubmits } from "./harness/runs.mjs";

const { journey } = site();

const NETWORK = [/Failed to load resource/, /ERR_/, /Failed to fetch/];

journey("a plan is confirmed, sent once, followed to its end and found as foreseen", { timeout: 90_000 }, async ({ page, server, axe }) => {
  const sent = await watchSubmits(page);
  await confirmAll(page);
  const id = await page.locator("#task-id").innerText();
  await submit(page);
  await runs(page);
  await says(page, id, /succeeded\. As foreseen/, 45_000);
  assert.deepEqual(sent, [id]);
  assert.equal((await tasks(server, "events_web")).filter((task) => task.id === id).length, 1);
  await axe();
});

journey("where the part that sends does not come, nothing is sent and that is said", { expected: [...NETWORK, /WebAssembly/] }, async ({ page }) => {
  const sent = await watchSubmits(page);
  let cut = true;
  await page.route("**/split_sending.wasm", (route) => (cut ? route.fulfill({ status: 503, body: "" }) : route.continue()));
  await confirmAll(page);
  await page.locator("#submit").click();
  await page.getByText(/Nothing was sent\. A part of the console could not be loaded/).waitFor();
  assert.deepEqual(sent, []);
  cut = false;
  await submit(page);
  await page.locator("article.run").first().waitFor();
  assert.equal(sent.length <= 1, true);
});

journey("the journal says that it is being sent before the first byte leaves", async ({ page }) => {
  const kept = [];
  await watchSubmits(page, async (route) => {
    kept.push(await page.evaluate(async () => {
      const all = [];
      for (const { name } of await indexedDB.databases()) {
        const db = await new Promise((ok) => { indexedDB.open(name).onsuccess = (event) => ok(event.target.result); });
        for (const store of db.objectStoreNames) {
          all.push(...await new Promise((ok) => { db.transaction(store).objectStore(store).getAll().onsuccess = (event) => ok(event.target.result); }));
        }
        db.close();
      }
      return JSON.stringify(all);
    }));
    await route.continue();
  });
  const id = await plan(page, spec("kept_first"));
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/);
  assert.match(kept[0], new RegExp(id));
  assert.match(kept[0], /Sending/);
});

journey("the same content is not sent again, neither from this browser nor from another", async ({ page, server, context }) => {
  const task = spec("once_only");
  const id = await plan(page, task);
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/);
  const sent = await watchSubmits(page);
  await page.evaluate(() => { location.hash = "#/plan"; });
  await plan(page, task);
  await submit(page);
  await page.getByText(/already|ran before/i).first().waitFor();
  assert.deepEqual(sent, []);
  const other = await (await context.browser().newContext({ timezoneId: "UTC" })).newPage();
  await visit(other, server.address);
  await plan(other, task);
  await submit(other);
  await runs(other);
  await says(other, id, /already run with this very content.*Nothing was sent/);
  assert.equal((await tasks(server, "once_only")).length, 1);
  await other.context().close();
});

journey("other content under a used id is refused and the difference is shown", async ({ page, server, context }) => {
  const id = await plan(page, spec("other_content"));
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/);
  const other = await (await context.browser().newContext({ timezoneId: "UTC" })).newPage();
  await visit(other, server.address);
  assert.equal(await plan(other, spec("other_content", { n: 2 })), id, "the id does not know the content");
  await submit(other);
  await runs(other);
  await says(other, id, /its content is not this one/);
  assert.equal((await tasks(server, "other_content")).length, 1);
  await other.context().close();
});

journey("other content under an id that this browser sent is stopped before anything is sent", async ({ page }) => {
  const id = await plan(page, spec("stopped_here"));
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/);
  const sent = await watchSubmits(page);
  await page.evaluate(() => { location.hash = "#/plan"; });
  assert.equal(await plan(page, spec("stopped_here", { n: 2 })), id, "the id does not know the content");
  const findings = page.locator("#findings");
  await findings.getByText(`${id} was sent with another content`).waitFor();
  assert.match(await findings.innerText(), /It was sent from this browser on \d+ \w+ \d{4} \d\d:\d\d UTC\./);
  assert.equal(await page.locator("#submit").innerText(), "1 finding stops this");
  await plan(page, spec("stopped_here"));
  await findings.getByText(`${id} was sent with another content`).waitFor({ state: "detached" });
  assert.deepEqual(sent, []);
});

journey("every attempt is shown with its drawn delay until one gets through", { timeout: 90_000, expected: NETWORK }, async ({ page }) => {
  const sent = await watchSubmits(page, (route, count) => (count <= 2 ? route.fulfill({ status: 503, body: "" }) : route.continue()));
  const id = await plan(page, spec("leader_change"));
  await submit(page);
  await runs(page);
  await says(page, id, /Attempt 1 of 6 did not succeed \(no leading Overlord\)\. The next comes after \d/);
  await says(page, id, /As foreseen/, 45_000);
  assert.deepEqual(sent, [id, id, id]);
  await card(page, id).getByText("2 attempts").click();
  assert.equal(await card(page, id).locator(".tries li").count(), 2);
});

journey("a task whose answer was lost is found, and not sent a second time", { expected: NETWORK }, async ({ page, server }) => {
  const sent = await watchSubmits(page, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  const id = await plan(page, spec("lost_answer"));
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/);
  assert.deepEqual(sent, [id]);
  assert.equal((await tasks(server, "lost_answer")).length, 1);
});

journey("a run that FAILED leaves its id used, and the next version is taken and said", { timeout: 90_000 }, async ({ page, server }) => {
  let first = true;
  await page.route("**/druid/indexer/v1/task/*/status", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    if (first && body.status?.statusCode === "SUCCESS") {
      first = false;
      Object.assign(body.status, { statusCode: "FAILED", status: "FAILED", errorMsg: "Java heap space" });
    }
    await route.fulfill({ response: answer, json: body });
  });
  const sent = await watchSubmits(page);
  // The failed run has published (Druid can fail after that): the second finds other chunks than were drawn.
  const id = await plan(page, spec("failed_once"));
  await submit(page);
  await runs(page);
  await page.getByText(/Nothing was sent: .* not as the picture was drawn\. The run before may have published/).first().waitFor({ timeout: 30_000 });
  const card = await page.getByRole("article").first().innerText();
  assert.match(card, new RegExp(`Before:\\s+${id}\\s+\\(version v1\\) FAILED \\(.*\\); its id stays used`));
  const [next] = card.match(/idx_failed_once_[0-9a-f]{12}/);
  assert.notEqual(next, id);
  assert.deepEqual(sent, [id]);
  assert.equal((await tasks(server, "failed_once")).length, 1);
});

journey("three runs that fail the same way go to the dead letters with the server's words", { timeout: 120_000 }, async ({ page }) => {
  const words = "Failed to add a row with timestamp[2026-03-01T00:00:00.000Z]";
  const sent = await watchSubmits(page, (route) => {
    const id = JSON.parse(route.request().postData()).id;
    return route.fulfill({ json: { task: id } });
  });
  await page.route("**/druid/indexer/v1/task/*/status", (route) => {
    const id = decodeURIComponent(route.request().url().split("/").at(-2));
    const status = { id, groupId: id, type: "index_parallel", createdTime: "2026-03-01T00:00:00.000Z", statusCode: "FAILED", status: "FAILED", runnerStatusCode: "WAITING", duration: -1, dataSource: "poison", errorMsg: words };
    return sent.includes(id) ? route.fulfill({ json: { task: id, status } }) : route.continue();
  });
  await plan(page, spec("poison"));
  await submit(page);
  await runs(page);
  const letters = page.getByRole("region", { name: "Dead letters" }).first();
  await letters.waitFor({ timeout: 60_000 });
  assert.equal(new Set(sent).size, 3);
  assert.equal(sent.length, 3);
  const row = (await letters.innerText()).replace(/\s+/g, " ");
  for (const part of [sent[2], "no segment for a row", " 3 ", words, "segment granularity"]) assert.ok(row.includes(part), `${part} in: ${row}`);
});

journey("a tab reloaded while the answer is out goes on and sends nothing twice", { timeout: 90_000, expected: NETWORK }, async ({ page, server }) => {
  let held;
  const out = new Promise((resolve) => { held = resolve; });
  const sent = await watchSubmits(page, async (route, count) => {
    await route.fetch();
    if (count > 1) return route.abort();
    held();
    return undefined; // never answered
  });
  const id = await plan(page, spec("reloaded"));
  await submit(page);
  await out;
  await page.reload();
  await started(page);
  await runs(page);
  await says(page, id, /As foreseen/, 45_000);
  assert.deepEqual(sent, [id]);
  assert.equal((await tasks(server, "reloaded")).length, 1);
});

journey("a tab reloaded while the task runs follows it to its end", async ({ page }) => {
  const id = await plan(page, spec("followed"));
  await submit(page);
  await runs(page);
  await says(page, id, /running|accepted|waits/);
  await page.reload();
  await started(page);
  await runs(page);
  await says(page, id, /As foreseen/);
});

journey("what was sent is taken up at the next visit though everything else was forgotten; a first visit takes up nothing", async ({ page }) => {
  const parts = [];
  page.on("request", (request) => { if (request.url().includes("split_sending")) parts.push(request.url()); });
  await page.reload();
  await started(page);
  const id = await plan(page, spec("taken_up"));
  assert.deepEqual(parts, []);
  await submit(page);
  await runs(page);
  await says(page, id, /running|accepted|waits/);
  await page.evaluate(() => { localStorage.clear(); location.hash = "#/plan"; });
  await page.reload();
  await started(page);
  await page.getByTitle("under way").waitFor();
  await runs(page);
  await says(page, id, /As foreseen/);
});

journey("a browser that does not list its databases is asked for a journal", async ({ page, context, server }) => {
  await page.close();
  await context.addInitScript(() => { delete IDBFactory.prototype.databases; });
  const silent = await context.newPage();
  const part = silent.waitForRequest(/split_sending/);
  await visit(silent, server.address);
  await part;
});

journey("a journal that does not open is said after 10 s, and is there when it opens later", async ({ page, context, server }) => {
  await page.close();
  const late = await context.newPage();
  await late.addInitScript(() => {
    // The ten seconds, shortened.
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (go, ms, ...more) => later(go, ms === 10_000 && globalThis.hurry ? 100 : ms, ...more);
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...what) {
      globalThis.openings = (globalThis.openings ?? 0) + 1;
      // A request that nothing comes of until it is let go.
      const request = {};
      globalThis.letGo = () => {
        const real = open.apply(indexedDB, what);
        for (const name of ["success", "error", "upgradeneeded", "blocked"]) {
          real[`on${name}`] = (event) => { request.result = real.result; request[`on${name}`]?.call(real, event); };
        }
      };
      return request;
    };
  });
  await visit(late, server.address);
  const id = await plan(late, spec("late_journal"));
  const sent = await watchSubmits(late);
  await late.evaluate(() => { globalThis.hurry = true; });
  await submit(late);
  await runs(late);
  await late.getByText(/keeps no journal: it did not open within 10 s/).first().waitFor();
  await says(late, id, /refuses to keep a journal .*within 10 s/);
  assert.deepEqual(sent, []);
  await late.evaluate(() => globalThis.letGo());
  assert.equal(await late.evaluate(() => globalThis.openings), 1, "all wait for one opening");
  await card(late, id).getByRole("button", { name: "Go on" }).click();
  await says(late, id, /As foreseen/);
  assert.deepEqual(sent, [id]);
});

journey("two tabs on one plan send it once, and the second only watches", async ({ page, context, server }) => {
  const second = await context.newPage();
  await visit(second, server.address);
  const task = spec("two_tabs");
  const [id] = await Promise.all([plan(page, task), plan(second, task)]);
  const sent = [await watchSubmits(page), await watchSubmits(second)];
  await Promise.all([submit(page), submit(second)]);
  await Promise.all([runs(page), runs(second)]);
  await says(page, id, /As foreseen/).catch(() => says(second, id, /As foreseen/));
  assert.deepEqual(sent.flat(), [id]);
  assert.equal((await tasks(server, "two_tabs")).length, 1);
});

journey("without a journal nothing is sent until the user says so", async ({ page, context, server }) => {
  await page.close();
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => { throw new DOMException("A mutation operation was attempted on a database that did not allow mutations.", "InvalidStateError"); };
  });
  const refused = await context.newPage();
  const sent = await watchSubmits(refused);
  await visit(refused, server.address);
  const id = await plan(refused, spec("private_mode"));
  await submit(refused);
  await runs(refused);
  await says(refused, id, /refuses to keep a journal/);
  assert.deepEqual(sent, []);
  await card(refused, id).getByRole("button", { name: "Go on" }).click();
  await says(refused, id, /As foreseen/);
  assert.deepEqual(sent, [id]);
});

journey("a clock that jumps neither ends a run nor makes a burst of calls", { timeout: 90_000 }, async ({ page, context, server }) => {
  await context.addInitScript(() => {
    const real = Date.now.bind(Date);
    globalThis.jump = 0;
    Date.now = () => real() + globalThis.jump;
  });
  await visit(page, server.address);
  await page.reload();
  let looks = 0;
  await page.route("**/druid/indexer/v1/task/*/status", (route) => { looks += 1; return route.continue(); });
  const id = await plan(page, spec("clock_jumps"));
  await submit(page);
  await runs(page);
  await says(page, id, /running|accepted|waits/);
  for (const jump of [86_400_000, -86_400_000 * 400, 0]) {
    await page.evaluate((jump) => { globalThis.jump = jump; }, jump);
    await page.waitForTimeout(700);
  }
  await says(page, id, /As foreseen/);
  assert.ok(looks < 30, `${looks} looks`);
});

journey("a run is cancelled while it runs, and followed to its end", async ({ page, server }) => {
  const id = await plan(page, spec("cancelled"));
  await submit(page);
  await runs(page);
  await says(page, id, /running|accepted|waits/);
  await card(page, id).getByRole("button", { name: "Cancel" }).click();
  await says(page, id, /Cancelled\. The task was shut down/);
  const [task] = await tasks(server, "cancelled");
  assert.equal(task.statusCode, "FAILED");
});

journey("before the first look a run is accepted, and while it waits its card says for whom", async ({ page, server }) => {
  const id = await plan(page, spec("behind"));
  let look;
  const looked = new Promise((resolve) => { look = resolve; });
  await page.route("**/druid/indexer/v1/task/*/status", async (route) => {
    await looked;
    const answer = await route.fetch();
    const body = await answer.json();
    Object.assign(body.status, { statusCode: "RUNNING", status: "RUNNING", runnerStatusCode: "WAITING" });
    await route.fulfill({ response: answer, json: body });
  });
  await submit(page);
  await runs(page);
  await says(page, id, /^The server has accepted/);
  await card(page, id).getByText("accepted", { exact: true }).waitFor();
  const lock = { granularity: "timeChunk", type: "EXCLUSIVE", groupId: "early", dataSource: "behind", interval: "2026-03-02T00:00:00.000Z/2026-03-03T00:00:00.000Z", version: "2026-03-01T00:00:00.000Z", priority: 50, revoked: false };
  await page.route("**/druid/indexer/v1/activeLocks", (route) => route.fulfill({ json: { datasourceToLocks: { behind: [lock] } } }));
  look();
  await says(page, id, /waits for the lock of early on 2026-03-02T00:00:00Z\/2026-03-03T00:00:00Z, priority 50\.$/);
  await page.unroute("**/druid/indexer/v1/task/*/status");
  await says(page, id, /As foreseen/);
  assert.equal((await tasks(server, "behind")).length, 1);
});

journey("a run that loses its lock to a task of higher priority says so, and ends by Cancel", { timeout: 90_000 }, async ({ page, server, axe }) => {
  const looks = { locks: 0, status: 0 };
  const task = { ...spec("evicted"), context: { priority: 10 } };
  task.spec.ioConfig.dropExisting = true;
  const id = await plan(page, task);
  const accepted = page.waitForResponse((answer) => answer.url().endsWith("/druid/indexer/v1/task"));
  await submit(page);
  await accepted;
  const stronger = await ask(server, "/druid/indexer/v1/task", { ...spec("evicted", { n: 7 }), id: "stronger", context: { priority: 90 } });
  assert.equal(stronger.status, 200);
  page.on("request", (request) => {
    if (request.url().endsWith("/activeLocks")) looks.locks += 1;
    if (request.url().endsWith("/status")) looks.status += 1;
  });
  await runs(page);
  await says(page, id, /lost its lock: stronger on 2026-03-01T00:00:00Z\/2026-03-04T00:00:00Z, priority 90, took it\..* Cancel it\./, 45_000);
  assert.ok(looks.locks >= 1 && looks.locks <= looks.status, JSON.stringify(looks));
  assert.equal((await ask(server, `/druid/indexer/v1/task/${id}/status`)).body.status.statusCode, "RUNNING", "it does not end by itself");
  await axe();
  await card(page, id).getByRole("button", { name: "Cancel" }).click();
  await says(page, id, /Cancelled\. The task was shut down/);
});

journey("where a chunk changed since it was drawn nothing is sent", async ({ page, server }) => {
  await runElsewhere(server, { ...spec("moved"), id: "moved_before" });
  const sent = await watchSubmits(page);
  const id = await plan(page, spec("moved", { n: 2 }));
  await confirmAll(page);
  await runElsewhere(server, { ...spec("moved", { n: 3 }), id: "moved_meanwhile" });
  await submit(page);
  await runs(page);
  await says(page, id, /Nothing was sent: \d+ chunks or locks are not as the picture was drawn/);
  assert.deepEqual(sent, []);
});
