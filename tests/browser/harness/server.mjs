// The real `foreshadow serve` on a free port, for as long as somebody needs it.

import { spawn } from "node:child_process";
import { once } from "node:events";

const START_MS = 20_000;

/**
 * Starts the binary named by the environment variable FORESHADOW (cargo xtask sets it) and waits until it says where
 * it listens. `args` are further arguments of `foreshadow serve`.
 */
export async function serve(args = []) {
  const binary = process.env.FORESHADOW;
  if (!binary) throw new Error("start this by `cargo xtask test --only journeys`: FORESHADOW names no binary");
  const child = spawn(binary, ["serve", "--port", "0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`foreshadow said no address within ${START_MS} ms:\n${said}`)), START_MS);
    let answer = "";
    child.stderr.on("data", (bytes) => { said += bytes; });
    child.stdout.on("data", (bytes) => {
      said += bytes;
      answer += bytes;
      const found = answer.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) { clearTimeout(late); resolve(found[0]); }
    });
    child.on("exit", (code) => { clearTimeout(late); reject(new Error(`foreshadow ended with ${code}:\n${said}`)); });
    child.on("error", (error) => { clearTimeout(late); reject(error); });
  });
  return {
    address,
    /** All that it wrote so far, stdout and stderr. */
    said: () => said,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
