// One Chromium, and pages that notice everything a person would have to open the developer tools for.

import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const FLAGS = readFileSync(new URL("../chromium-flags.txt", import.meta.url), "utf8").trim().split("\n");

export const WIDE = { width: 1280, height: 720 };
export const NARROW = { width: 400, height: 800 };

export function launch() {
  if (!process.env.CHROME) throw new Error("start this by `cargo xtask …`: CHROME names no browser");
  return chromium.launch({ executablePath: process.env.CHROME, args: FLAGS });
}

/**
 * A page in a context of its own (its own IndexedDB, storage and cache).
 *
 * `theme`: "light" or "dark", as the system would say; `complaints` collects console errors, uncaught errors and
 * reports of the content security policy, save those that match one of `expected`.
 */
export async function openPage(browser, { viewport = WIDE, theme = "light", expected = [], reducedMotion = "reduce", scale = 1 } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion, deviceScaleFactor: scale, timezoneId: "UTC", locale: "en-GB" });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`content security policy: ${event.violatedDirective} blocked ${event.blockedURI || "inline"} (${event.sourceFile}:${event.lineNumber})`);
    });
  });
  const page = await context.newPage();
  const complaints = [];
  const complain = (text) => { if (!expected.some((pattern) => pattern.test(text))) complaints.push(text); };
  page.on("console", (message) => {
    const place = message.location();
    if (message.type() === "error" || /Content Security Policy/i.test(message.text())) complain(`console: ${message.text()} (${place.url}:${place.lineNumber})`);
  });
  page.on("pageerror", (error) => complain(`uncaught: ${error.stack ?? error}`));
  page.on("crash", () => complain("the page crashed"));
  return { page, context, complaints };
}

/** Waits until the wasm has started: the loading message is gone. If it says why it failed, that is the error. */
export async function started(page) {
  await page.waitForFunction(() => !document.getElementById("boot") || document.querySelector("#boot.failed"));
  const failed = await page.evaluate(() => document.querySelector("#boot.failed")?.innerText);
  if (failed) throw new Error(`the console did not start: ${failed}`);
}

/** Goes to `path` (by default the first page) of the served console and waits until it has started. */
export async function visit(page, address, path = "/") {
  await page.goto(address + path);
  await started(page);
}

/** Waits until the forecast over what the cluster has is on the canvas: the console marks both moments. */
export async function drawn(page) {
  const forecast = await page.waitForFunction(() => {
    const [read] = performance.getEntriesByName("foreshadow:read");
    return read && performance.getEntriesByName("foreshadow:drawn").find((drawn) => drawn.startTime >= read.startTime)?.startTime;
  }, undefined, { timeout: 30_000 });
  return forecast.jsonValue();
}

/** Waits until the page rests: something is drawn, and nothing is being read from the cluster. */
export const settled = (page) =>
  page.waitForFunction(() => performance.getEntriesByName("foreshadow:drawn").length > 0 && !/Reading/.test(document.querySelector("#submit")?.textContent ?? "Reading"));
