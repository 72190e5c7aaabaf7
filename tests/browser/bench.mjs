// The served console against its budgets, in a real Chromium: `cargo xtask bench --only browser`.
//
// Figures, not tests: nothing else may run on the machine. What is measured and how:
// - first load: bytes that cross the wire (compressed, headers counted) until the forecast is drawn, with an empty cache;
// - drawn: from the start of navigation to the console's own mark `foreshadow:drawn`, set after the pixels are written;
// - repaint: from a real key press (as the browser's event clock has it) to that mark, when the pixels of its forecast
//   are written; and to the next animation frame, which includes waiting for the display (up to 16.7 ms at 60 Hz);
// - frames: intervals between animation frames, script time within each, and frames presented or dropped as the
//   browser's own trace counts them, while real wheel and drag events zoom and pan through all scales.
// Script time is never reported alone: a short script can still make a slow frame.

import { cpus } from "node:os";

import { drawn, launch, openPage, started } from "./harness/browser.mjs";
import { serve } from "./harness/server.mjs";
import { countBytes } from "./harness/wire.mjs";

const SIZE = { width: 1600, height: 1000 };
const REPEATS = 5;
const MANY = "many"; // the datasource that `--sandbox-segments N` adds

const rows = [];
function row(what, value, unit, budget) {
  const kept = budget === undefined ? "" : value <= budget ? `within ${budget} ${unit}` : `OVER ${budget} ${unit}`;
  rows.push({ what, value, unit, kept });
  console.log(`${what.padEnd(58)} ${value.toFixed(unit === "frames" ? 0 : 1).padStart(9)} ${unit.padEnd(6)} ${kept}`);
}

const sorted = (values) => [...values].sort((a, b) => a - b);
function percentile(values, share) {
  const order = sorted(values);
  return order.length ? order[Math.min(order.length - 1, Math.ceil(share * order.length) - 1)] : Number.NaN;
}
const median = (values) => percentile(values, 0.5);

/** A visit with an empty cache: bytes over the wire, of the console and of what it asked the gateway, and when the forecast was drawn. */
async function firstVisit(browser, address, path) {
  const { page, context } = await openPage(browser, { viewport: SIZE });
  const bytes = await countBytes(page);
  await page.goto(address + path);
  await started(page);
  const at = await drawn(page);
  await context.close();
  return { bytes, at };
}

async function visits(browser, address, label, path, budgets) {
  const seen = [];
  for (let i = 0; i < REPEATS; i += 1) seen.push(await firstVisit(browser, address, path));
  const encodings = new Set(seen.flatMap(({ bytes }) => [...bytes.encodings]));
  row(`${label}: the console over the wire (wasm: ${[...encodings].join(", ")})`, median(seen.map(({ bytes }) => bytes.console)) / 1000, "kB", budgets.bytes);
  row(`${label}: answers of the gateway over the wire`, median(seen.map(({ bytes }) => bytes.answers)) / 1000, "kB");
  row(`${label}: navigation to drawn forecast, median of ${REPEATS}`, median(seen.map(({ at }) => at)), "ms", budgets.drawn);
}

/** Types digits into the end of the interval and measures each key until its forecast is written, and until the next frame. */
async function keystrokes(browser, address, label, path, budget) {
  const { page, context } = await openPage(browser, { viewport: SIZE });
  await page.goto(address + path);
  await started(page);
  await drawn(page);
  await page.evaluate(() => {
    const seen = (globalThis.repaints = []);
    addEventListener("keydown", (event) => {
      if (!/^\d$/.test(event.key)) return;
      const pressed = event.timeStamp;
      const before = performance.getEntriesByName("foreshadow:drawn").length;
      const look = () => {
        const marks = performance.getEntriesByName("foreshadow:drawn");
        if (marks.length > before) return void seen.push({ written: marks[before].startTime - pressed, shown: performance.now() - pressed });
        if (performance.now() - pressed < 5000) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { capture: true });
  });
  const field = page.getByLabel("To", { exact: true }).first();
  await field.click();
  for (let i = 0; i < 60; i += 1) {
    // The last digit of the hour in 2026-07-17T00:00:00Z, over and over: every text is another interval.
    await page.keyboard.press("Home");
    for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press(String(1 + (i % 9)));
    await page.waitForFunction((count) => globalThis.repaints.length >= count, i + 1, { timeout: 10_000 });
  }
  const all = await page.evaluate(() => globalThis.repaints);
  await context.close();
  const warm = all.slice(10);
  const [written, shown] = [warm.map((key) => key.written), warm.map((key) => key.shown)];
  row(`${label}: key press to repaint, p50 of ${warm.length}`, percentile(written, 0.5), "ms");
  row(`${label}: key press to repaint, p95`, percentile(written, 0.95), "ms", budget);
  row(`${label}: key press to the next frame after that, p95`, percentile(shown, 0.95), "ms");
}

/** Zooms and pans through all scales with real input events; frames as the page and as the browser's trace see them. */
async function frames(browser, address, label, path) {
  const { page, context } = await openPage(browser, { viewport: SIZE });
  await page.goto(address + path);
  await started(page);
  await drawn(page);
  const canvas = await page.locator("canvas").first().boundingBox();
  const session = await context.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["benchmark", "cc", "viz", "devtools.timeline", "blink.user_timing", "disabled-by-default-devtools.timeline.frame"] } });
  await page.evaluate(() => {
    const times = (globalThis.frameTimes = []);
    const tick = (at) => { times.push(at); globalThis.frameLoop = requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
    performance.mark("bench:begin");
  });
  const [x, y] = [canvas.x + canvas.width * 0.5, canvas.y + canvas.height * 0.4];
  const wheel = (deltaY, deltaX = 0, at = x) => session.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: at, y, deltaX, deltaY });
  // In to single chunks, about all scales between, and out again; the point zoomed about wanders, so that no cache helps.
  for (let i = 0; i < 120; i += 1) await wheel(-60, 0, x + 200 * Math.sin(i / 9));
  for (let i = 0; i < 120; i += 1) await wheel(60, 0, x + 200 * Math.cos(i / 9));
  for (let i = 0; i < 30; i += 1) await wheel(-60);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 0; i < 120; i += 1) await page.mouse.move(x + 300 * Math.sin(i / 15), y);
  await page.mouse.up();
  const times = await page.evaluate(() => { performance.mark("bench:end"); cancelAnimationFrame(globalThis.frameLoop); return globalThis.frameTimes; });
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await done;
  await context.close();

  const intervals = times.slice(11).map((at, i) => at - times[i + 10]);
  row(`${label}: interval between frames, p50 of ${intervals.length}`, percentile(intervals, 0.5), "ms");
  row(`${label}: interval between frames, p95`, percentile(intervals, 0.95), "ms", 16.8);
  row(`${label}: interval between frames, p99`, percentile(intervals, 0.99), "ms");
  row(`${label}: intervals over 25 ms`, intervals.filter((interval) => interval > 25).length, "frames");

  const mark = (name) => events.find((event) => event.name === name)?.ts ?? Number.NaN;
  const [begin, end] = [mark("bench:begin"), mark("bench:end")];
  const within = ({ ts }) => ts >= begin && ts <= end;
  const script = events.filter((event) => event.ph === "X" && event.name === "FireAnimationFrame" && within(event)).map(({ dur }) => dur / 1000);
  row(`${label}: script in one frame, p50 of ${script.length}`, percentile(script, 0.5), "ms");
  row(`${label}: script in one frame, p95`, percentile(script, 0.95), "ms", 8);
  const reports = events.filter((event) => event.name === "PipelineReporter" && event.ph === "b" && within(event));
  const state = (event) => event.args?.chrome_frame_reporter?.state ?? event.args?.frame_reporter?.state ?? "";
  row(`${label}: frames presented (browser's trace)`, reports.filter((event) => /PRESENTED/.test(state(event))).length, "frames");
  row(`${label}: frames dropped (browser's trace)`, reports.filter((event) => /DROPPED/.test(state(event))).length, "frames");
}

const browser = await launch();
console.log(`Chromium ${browser.version()}, ${cpus().length} CPUs (${cpus()[0]?.model ?? "?"})\n`);
try {
  for (const [segments, parts] of [
    [0, async (address) => visits(browser, address, "first visit", "/", { bytes: 340, drawn: 1000 })],
    [10_000, async (address) => keystrokes(browser, address, "10,000 segments", `/#/plan?ds=${MANY}`, 16)],
    [100_000, async (address) => frames(browser, address, "100,000 segments", `/#/plan?ds=${MANY}`)],
  ]) {
    const server = await serve(segments ? ["--sandbox-segments", String(segments)] : []);
    try { await parts(server.address); } finally { await server.stop(); }
  }
} finally {
  await browser.close();
}
const over = rows.filter(({ kept }) => kept.startsWith("OVER"));
console.log(over.length ? `\n${over.length} figures over their budget` : "\nall within budget");
