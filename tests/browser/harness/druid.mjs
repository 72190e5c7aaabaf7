// A running Druid (environment variable DRUID, as `cargo xtask test --druid` sets it), the console's server in front of
// it, and between the two a proxy that cuts the connection to order.
//
// What always holds: a datasource's name is this start's own, so that one cluster serves any number of starts.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, request as call } from "node:http";
import { once } from "node:events";
import { promisify } from "node:util";

import { serve } from "./server.mjs";

/** Where the Router listens. */
export const druid = () => process.env.DRUID ?? assert.fail("start this by `cargo xtask test --druid`: DRUID names no cluster");

const START = Date.now().toString(36);

/** A name that no other start used. */
export const datasource = (name) => `j_${START}_${name}`;

/** A call to the Router, behind the console's back. */
export async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const answer = await fetch(druid() + path, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
}

/** Waits until this holds, looking twice a second. */
export async function until(what, holds, { timeout = 60_000 } = {}) {
  const late = Date.now() + timeout;
  for (;;) {
    const found = await holds();
    if (found) return found;
    if (Date.now() > late) assert.fail(`${what}: not within ${timeout / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Submits a task behind the console's back. */
export async function submitElsewhere(task) {
  const { status, body } = await ask("/druid/indexer/v1/task", task);
  assert.equal(status, 200, JSON.stringify(body));
  return body.task;
}

/** How a task stands: RUNNING, SUCCESS, FAILED. */
export const state = async (id) => (await ask(`/druid/indexer/v1/task/${encodeURIComponent(id)}/status`)).body?.status?.statusCode;

/** Ids of the tasks of a datasource that the Overlord knows, sub-tasks left out. */
export async function tasks(name) {
  const { body } = await ask(`/druid/indexer/v1/tasks?datasource=${name}`);
  return body.filter((task) => task.id === task.groupId).map((task) => task.id);
}

/** Rows that a query finds: 0 until the first segment has been handed off. */
export async function rows(name) {
  const { status, body } = await ask("/druid/v2/sql", { query: `SELECT COUNT(*) AS n FROM "${name}"` });
  return status === 200 ? body[0].n : 0;
}

/** `cargo xtask druid …` about the cluster of this start. */
async function order(...words) {
  const { DRUID_XTASK, DRUID_VERSION, DRUID_NAME } = process.env;
  const { stdout } = await promisify(execFile)(DRUID_XTASK, ["druid", ...words, "--version", DRUID_VERSION, "--name", DRUID_NAME]);
  return stdout;
}

/** The process id of the Coordinator, which is the Overlord. */
export async function overlord() {
  const [, pid] = (await order("status")).match(/^coordinator .*pid (\d+)/m) ?? assert.fail("no Overlord runs");
  return Number(pid);
}

/** Starts what of the cluster does not run, and waits until it takes tasks. */
export const revive = () => order("up", "--slots", process.env.DRUID_SLOTS);

/** A source of rows that the test holds in its hand: `open()` lets the answers go, `say()` changes what they are. */
export async function source(text) {
  const waiting = [];
  let isOpen = false;
  const server = createServer((request, response) => {
    const answer = () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    if (isOpen) answer(); else waiting.push(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    input: { type: "http", uris: [`http://127.0.0.1:${server.address().port}/rows.json`] },
    asked: () => waiting.length,
    open() { isOpen = true; for (const answer of waiting.splice(0)) answer(); },
    say(next) { text = next; },
    close() { this.open(); server.close(); server.closeAllConnections(); },
  };
}

/**
 * The console's server on the cluster, through a proxy. `cut(when)` is asked about each call as `{ method, url }` and says
 * what becomes of it: "refused" before a byte went on, "half" after the whole request went on and before an answer came,
 * "torn" in the middle of the answer; anything else lets it through. `answered()` is called where an answer was kept
 * from going through.
 */
export async function behindProxy() {
  const upstream = new URL(druid());
  let rule = () => undefined;
  let answered = () => {};
  const seen = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method, url } = incoming;
    const fate = rule({ method, url });
    seen.push({ method, url, fate });
    if (fate === "refused") return void incoming.socket.destroy();
    const headers = { ...incoming.headers, host: upstream.host };
    const onward = call({ host: upstream.hostname, port: upstream.port, method, path: url, headers }, (answer) => {
      if (fate === "half") { answer.resume(); answer.on("end", () => { answered(); incoming.socket.destroy(); }); return; }
      outgoing.writeHead(answer.statusCode, answer.headers);
      if (fate === "torn") {
        answer.once("data", (part) => outgoing.write(part.subarray(0, Math.ceil(part.length / 2)), () => incoming.socket.destroy()));
        answer.resume();
      } else {
        answer.pipe(outgoing);
      }
    });
    onward.on("error", () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const server = await serve(["--cluster", `http://127.0.0.1:${proxy.address().port}`]);
  return {
    address: server.address,
    said: server.said,
    seen,
    cut(next, then = () => {}) { [rule, answered] = [next, then]; },
    async stop() {
      await server.stop();
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
