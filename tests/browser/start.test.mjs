// The console starts, under the content security policy it is served with, and says so when it cannot.

import assert from "node:assert/strict";

import { NARROW, drawn } from "./harness/browser.mjs";
import { site } from "./harness/site.mjs";
import { countBytes } from "./harness/wire.mjs";

const { journey } = site();

journey("the console starts under the strict content security policy, with no complaint", { path: null }, async ({ page, server }) => {
  const answer = await page.goto(server.address);
  const policy = answer.headers()["content-security-policy"] ?? "";
  for (const part of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), `${part} in: ${policy}`);
  }
  assert.ok(!policy.includes("unsafe-inline") && !policy.includes("'unsafe-eval'"), policy);
  await page.waitForSelector("#boot", { state: "detached" });
});

journey("all that is loaded comes from the console's own address", { path: null }, async ({ page, server }) => {
  const foreign = [];
  page.on("request", (request) => { if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.address)) foreign.push(request.url()); });
  await page.goto(server.address, { waitUntil: "networkidle" });
  assert.deepEqual(foreign, []);
});

// How many bytes that are, against the budget, is a figure of `cargo xtask bench`.
journey("a first visit brings the console compressed", { path: null }, async ({ page, server }) => {
  const bytes = await countBytes(page);
  await page.goto(server.address);
  await drawn(page);
  assert.deepEqual([...bytes.encodings], ["br"]);
});

journey("a console whose wasm cannot be loaded says what to do", { path: null, expected: [/wasm/i, /Failed to load resource/] }, async ({ page, server }) => {
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto(server.address);
  const says = page.getByRole("alert");
  await says.waitFor();
  assert.match(await says.innerText(), /did not start[\s\S]*Reload the page/);
});

journey("a console that was updated under an open page says to reload", { path: null, expected: [/Failed to load resource/, /Failed to fetch/] }, async ({ page, server }) => {
  await page.route(/console\.js$/, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(server.address);
  const says = page.getByRole("alert");
  await says.waitFor();
  assert.match(await says.innerText(), /could not be loaded[\s\S]*Reload the page/);
});

for (const theme of ["light", "dark"]) {
  journey(`the first page has no serious accessibility fault in the ${theme} theme`, { theme }, async ({ page, axe }) => {
    await drawn(page);
    await axe();
  });
}

journey("the first page fits 400 pixels: nothing to scroll sideways", { viewport: NARROW }, async ({ page }) => {
  await drawn(page);
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(inner <= outer, `${inner} <= ${outer}`);
});
