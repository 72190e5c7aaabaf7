// A cluster that is dead, slow, lying or half-closed: each has a clear message, and nothing the user made is lost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage, visit } from "./harness/browser.mjs";
import { misbehaving } from "./harness/upstream.mjs";
import { card, plan, runs, says, spec, submit, tasks } from "./harness/runs.mjs";

let browser, server;
before(async () => { [browser, server] = await Promise.all([launch(), misbehaving()]); });
after(async () => { await browser?.close(); await server?.stop(); });

/** One journey on the misbehaving cluster; the browser may complain of the network, and of nothing else. */
function journey(name, steps) {
  test(name, { timeout: 120_000 }, async () => {
    server.faults(null);
    const { page, context, complaints } = await openPage(browser, { expected: [/Failed to load resource/, /ERR_/, /Failed to fetch/] });
    page.setDefaultTimeout(30_000);
    try {
      await visit(page, server.address);
      await steps({ page, context, server });
      assert.deepEqual(complaints, [], "the browser complained");
    } finally {
      await context.close();
    }
  });
}

const isSubmit = (request) => request.method === "POST" && request.url === "/druid/indexer/v1/task";
const isStatus = (request) => /\/druid\/indexer\/v1\/task\/[^/]+\/status$/.test(request.url);

/** Treats the first `times` calls that fit with `treat`; all others pass. */
const first = (times, fits, treat) => {
  let left = times;
  return (request, response, pass) => (fits(request) && left-- > 0 ? treat(request, response, pass) : false);
};

const answers = (status, type, body) => (request, response) => {
  response.writeHead(status, { "content-type": type });
  response.end(body);
};

async function sendsOnce(page, server, datasource, wait = 60_000) {
  const id = await plan(page, spec(datasource));
  await submit(page);
  await runs(page);
  await says(page, id, /As foreseen/, wait);
  assert.equal((await tasks(server.cluster, datasource)).length, 1);
  return id;
}

journey("a task whose answer is cut in the middle is found and runs once", async ({ page, server }) => {
  server.faults(first(1, isSubmit, (request, response, pass) => pass((answer) => ({ ...answer, body: answer.body.subarray(0, 9) }))));
  await sendsOnce(page, server, "cut_answer");
});

journey("a task whose answer never comes because the connection broke is found and runs once", async ({ page, server }) => {
  server.faults(first(1, isSubmit, async (request, response, pass) => {
    const end = response.end.bind(response);
    response.end = () => { response.end = end; response.destroy(); };
    await pass();
  }));
  await sendsOnce(page, server, "half_closed");
});

journey("a full queue is waited for, and Retry-After is kept", async ({ page, server }) => {
  const seen = [];
  server.faults(first(1, isSubmit, (request, response) => {
    seen.push(Date.now());
    response.writeHead(429, { "content-type": "application/json", "retry-after": "3" });
    response.end(JSON.stringify({ error: "druidException", errorCode: "general", persona: "ADMIN", category: "CAPACITY_EXCEEDED", errorMessage: "Task queue already contains [5000] tasks. Retry later or increase 'druid.indexer.queue.maxSize'[5000].", context: {} }));
  }));
  const id = await plan(page, spec("queue_full"));
  await submit(page);
  await runs(page);
  await says(page, id, /server busy/);
  await card(page, id).getByText(/Task queue already contains \[5000\]/).first().waitFor({ state: "attached" });
  await says(page, id, /As foreseen/, 60_000);
  assert.equal((await tasks(server.cluster, "queue_full")).length, 1);
});

journey("an error page with status 500 is shown, and the run goes on when it passes", async ({ page, server }) => {
  server.faults(first(1, isSubmit, answers(500, "text/html", "<html><h2>HTTP ERROR 500</h2><pre>java.lang.IllegalStateException: Queue is not active!</pre></html>")));
  await sendsOnce(page, server, "error_page");
});

journey("a refusal is shown in the server's own words and nothing is tried again", async ({ page, server }) => {
  const words = "Cannot construct instance of `org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexSupervisorTask`, problem: something that only this server knows";
  let submits = 0;
  server.faults(first(9, isSubmit, (request, response) => {
    submits += 1;
    answers(400, "application/json", JSON.stringify({ error: words }))(request, response);
  }));
  const id = await plan(page, spec("refused"));
  await submit(page);
  await runs(page);
  await says(page, id, /something that only this server knows/);
  assert.equal(submits, 1);
  await page.getByRole("region", { name: "Dead letters" }).first().waitFor();
});

journey("a 400 that only contains the id is not taken for a duplicate", async ({ page, server }) => {
  server.faults(first(1, isSubmit, async (request, response) => {
    const message = "Task[idx] has payload of size[7340032] but max allowed size is [5242880].";
    answers(400, "application/json", JSON.stringify({ error: "druidException", errorCode: "invalidInput", persona: "USER", category: "INVALID_INPUT", errorMessage: message, context: {} }))(request, response);
  }));
  const id = await plan(page, spec("too_large"));
  await submit(page);
  await runs(page);
  await says(page, id, /refused it: .*max allowed size/);
  assert.equal((await tasks(server.cluster, "too_large")).length, 0);
});

journey("a page of something else with status 200 is not taken for an acceptance", async ({ page, server }) => {
  server.faults(first(1, isSubmit, answers(200, "text/html", "<html>Please sign in</html>")));
  await sendsOnce(page, server, "proxy_page");
});

journey("answers about the running task that are cut, slow or missing do not end the watch", async ({ page, server }) => {
  const ways = [
    answers(200, "application/json", "{\"task\":\"x\",\"sta"),
    answers(503, "text/plain", ""),
    (request, response) => { response.destroy(); },
  ];
  let count = 0;
  server.faults((request, response) => {
    if (!isStatus(request) || count >= ways.length) return false;
    return ways[count++](request, response);
  });
  await sendsOnce(page, server, "flaky_looks");
});

// The last one: afterwards the cluster is gone.
journey("a cluster that dies keeps the plan and its run, and says so", async ({ page, server }) => {
  const id = await plan(page, spec("dies"));
  await submit(page);
  await runs(page);
  await says(page, id, /running|accepted|waits/);
  await server.die();
  await says(page, id, /looking goes on/);
  await page.evaluate(() => { location.hash = "#/plan"; });
  await page.waitForSelector("#task-id");
  assert.equal(await page.locator("#task-id").innerText(), id, "what was planned is still there");
});
