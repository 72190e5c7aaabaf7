// A cluster that misbehaves to order: a server in front of the built-in cluster of a `foreshadow serve`, which another
// `foreshadow serve --cluster` takes for its cluster.

import { createServer } from "node:http";
import { once } from "node:events";

import { serve } from "./server.mjs";

/**
 * Starts the built-in cluster, the misbehaving server before it, and the console's server on that.
 *
 * `fault(request, response, pass)` may answer any call by itself; what it leaves to `pass()` goes on to the cluster.
 * `server.faults(handler)` changes it; `server.cluster` is the well-behaved server behind.
 */
export async function misbehaving() {
  const cluster = await serve();
  let handler = null;
  const open = new Set();
  const upstream = createServer(async (request, response) => {
    const body = [];
    for await (const part of request) body.push(part);
    const pass = async (change = (answer) => answer) => {
      const headers = { ...request.headers, "x-foreshadow": "1" };
      for (const name of ["host", "connection", "content-length", "transfer-encoding", "origin", "accept-encoding"]) delete headers[name];
      const answer = await fetch(cluster.address + request.url, { method: request.method, headers, body: body.length ? Buffer.concat(body) : undefined, redirect: "manual" });
      const whole = change({ status: answer.status, type: answer.headers.get("content-type"), body: Buffer.from(await answer.arrayBuffer()) });
      response.writeHead(whole.status, whole.type ? { "content-type": whole.type } : {});
      response.end(whole.body);
    };
    try {
      if (!handler || (await handler(request, response, pass)) === false) await pass();
    } catch {
      response.destroy();
    }
  });
  upstream.on("connection", (socket) => { open.add(socket); socket.on("close", () => open.delete(socket)); });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const server = await serve(["--cluster", `http://127.0.0.1:${upstream.address().port}`]);
  return {
    address: server.address,
    said: server.said,
    cluster,
    faults(next) { handler = next; },
    /** As if the machine were gone: nothing listens, what was open is cut. */
    async die() { upstream.close(); for (const socket of open) socket.destroy(); },
    async stop() {
      await server.stop();
      upstream.close();
      for (const socket of open) socket.destroy();
      await cluster.stop();
    },
  };
}
