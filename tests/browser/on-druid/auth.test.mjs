// A Druid behind a login: nginx from the system's packages, basic auth, in front of the running cluster. What holds: the
// gateway's credentials pass and stay there; wrong ones, none, and ones that may not do it are told apart.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { launch, openPage, visit } from "../harness/browser.mjs";
import { ask, datasource, druid, tasks, until } from "../harness/druid.mjs";
import { card, plan, runs, says, spec, submit } from "../harness/runs.mjs";
import { serve } from "../harness/server.mjs";

const WORD = "correct-horse-7Q";
const OTHER = "another-word-3Z";

const nginx = ["nginx", "/usr/sbin/nginx"].find((program) => {
  try { execFileSync(program, ["-v"], { stdio: "ignore" }); return true; } catch { return false; }
});
const left = nginx ? {} : { skip: "nginx is not found here (Debian, Ubuntu: apt-get install nginx-light)" };

let browser, folder, proxy, address;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Who may come in, by their passwords; a running nginx is told. */
function admit(words) {
  writeFileSync(join(folder, "users"), Object.entries(words).map(([user, word]) => `${user}:{PLAIN}${word}\n`).join(""));
}

before(async () => {
  if (!nginx) return;
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "foreshadow-nginx-"));
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  admit({ writer: WORD, reader: WORD });
  // 401 is nginx's own page, as from druid-basic-security; 403 has the shape that Druid gives it.
  writeFileSync(join(folder, "nginx.conf"), `
    ${process.getuid() === 0 ? "user root;" : ""}
    daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
    events {}
    http {
      access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      map "$request_method $uri $remote_user" $refused { default ""; "POST /druid/indexer/v1/task reader" yes; }
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 20m;
        location / {
          auth_basic "druid"; auth_basic_user_file ${folder}/users;
          if ($refused) { return 403 '{"Access-Check-Result":"Unauthorized: reader may not write"}'; }
          default_type application/json;
          proxy_set_header Authorization "";
          proxy_pass ${druid()};
        }
      }
    }`);
  proxy = spawn(nginx, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: ["ignore", "inherit", "inherit"] });
  await until("nginx answers", async () => (await fetch(`${address}/status`).catch(() => null))?.status === 401, { timeout: 10_000 });
});
after(async () => {
  await browser?.close();
  if (proxy) { proxy.kill("SIGTERM"); await once(proxy, "exit"); }
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The console's server as this user, its credentials in a file. */
function as(user, word) {
  const file = join(folder, `credentials-${user}-${word.length}`);
  writeFileSync(file, `${user}:${word}\n`, { mode: 0o600 });
  return serve(["--cluster", address, "--credentials-file", file]);
}

function journey(name, steps) {
  test(name, { timeout: 180_000, ...left }, async () => {
    const { page, context, complaints } = await openPage(browser, { expected: [/Failed to load resource/] });
    page.setDefaultTimeout(30_000);
    try {
      await steps(page);
      assert.deepEqual(complaints, [], "the browser complained");
    } finally {
      await context.close();
    }
  });
}

journey("the gateway's credentials pass, and neither the browser nor a log sees them", async (page) => {
  const server = await as("writer", WORD);
  try {
    const secrets = [WORD, Buffer.from(`writer:${WORD}`).toString("base64")];
    const seen = [];
    page.on("response", async (response) => {
      seen.push(JSON.stringify(response.headers()), await response.text().catch(() => ""));
      seen.push(JSON.stringify(response.request().headers()), response.request().postData() ?? "");
    });
    await visit(page, server.address);
    const name = datasource("login");
    const id = await plan(page, spec(name));
    await submit(page);
    await runs(page);
    await says(page, id, /As foreseen/, 90_000);
    assert.deepEqual(await tasks(name), [id]);
    seen.push(await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.documentElement.outerHTML])));
    seen.push(server.said());
    assert.ok(seen.length > 20);
    for (const secret of secrets) assert.ok(!seen.some((text) => text.includes(secret)), `${secret.slice(0, 4)}… was seen`);
  } finally {
    await server.stop();
  }
});

test("wrong credentials and none are told apart before anything is served, and are not repeated", left, async () => {
  const wrong = await as("writer", OTHER).then((server) => server.stop().then(() => assert.fail("it started")), (error) => error.message);
  assert.match(wrong, /ended with 2/);
  assert.match(wrong, /does not accept these credentials \(401\)/);
  assert.ok(!wrong.includes(OTHER));
  const none = await serve(["--cluster", address]).then((server) => server.stop().then(() => assert.fail("it started")), (error) => error.message);
  assert.match(none, /ended with 2/);
  assert.match(none, /wants a login \(401\)/);
});

journey("credentials that may not submit are told so in Druid's words, and nothing is tried again", async (page) => {
  const server = await as("reader", WORD);
  try {
    let submits = 0;
    page.on("request", (request) => { if (request.method() === "POST" && request.url().endsWith("/druid/indexer/v1/task")) submits += 1; });
    await visit(page, server.address);
    const name = datasource("reader");
    const id = await plan(page, spec(name));
    await submit(page);
    await runs(page);
    await card(page, id).or(page.getByRole("region", { name: "Dead letters" })).getByText(/reader may not write/).first().waitFor({ state: "attached" });
    await page.getByText(/not allowed/i).first().waitFor();
    assert.equal(submits, 1);
    assert.deepEqual(await tasks(name), []);
  } finally {
    await server.stop();
  }
});

journey("a password that is changed while the console is open is told apart from a cluster that is gone", async (page) => {
  const server = await as("writer", WORD);
  try {
    await visit(page, server.address);
    const name = datasource("changed");
    await plan(page, spec(name));
    admit({ writer: OTHER });
    await page.locator("#refresh").click();
    await page.getByText(/does not accept this server's login \(401\): 401 Authorization Required\./).first().waitFor();
    admit({ writer: WORD });
    await page.locator("#refresh").click();
    await page.getByText(/401/).first().waitFor({ state: "detached" });
    assert.equal((await ask("/status/health")).status, 200);
  } finally {
    await server.stop();
  }
});
