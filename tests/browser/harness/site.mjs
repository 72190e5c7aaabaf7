// What a file of journeys needs: one server and one Chromium for the file, a fresh context for each journey, and a
// failure for anything the console complained of, whether the journey looked for it or not.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { axeFindings } from "./axe.mjs";
import { launch, openPage, started, visit } from "./browser.mjs";
import { serve } from "./server.mjs";

const FAILED = fileURLToPath(new URL("../../../shots/failed/", import.meta.url));
const JOURNEY_MS = 60_000;
const WAIT_MS = 15_000;

/**
 * Registers a server (`foreshadow serve` with `args`) and a browser for this file.
 *
 * `site.journey(name, options, steps)` is one test. Options: `viewport` (WIDE, NARROW), `theme` ("light", "dark"),
 * `path` (where it starts; `null` to navigate by itself), `expected` (patterns of console errors that this journey
 * provokes), and whatever `node:test` takes. The steps get `{ page, context, server, axe, complaints }`;
 * `await axe()` fails on serious findings.
 */
export function site(args = []) {
  let server, browser;
  before(async () => { server = await serve(args); browser = await launch(); });
  after(async () => { await browser?.close(); await server?.stop(); });

  function journey(name, options, steps) {
    if (typeof options === "function") [options, steps] = [{}, options];
    const { viewport, theme, expected, path = "/", ...forTest } = options;
    test(name, { timeout: JOURNEY_MS, ...forTest }, async () => {
      const { page, context, complaints } = await openPage(browser, { viewport, theme, expected });
      page.setDefaultTimeout(WAIT_MS);
      const axe = async (scope) => assert.deepEqual(await axeFindings(page, scope), [], "axe");
      try {
        if (path !== null) await visit(page, server.address, path);
        await steps({ page, context, server, axe, complaints });
        assert.deepEqual(complaints, [], "the browser complained");
      } catch (error) {
        mkdirSync(FAILED, { recursive: true });
        const picture = `${FAILED}${name.replace(/[^\w]+/g, "-").slice(0, 80)}.png`;
        await page.screenshot({ path: picture }).catch(() => {});
        error.message += `\n(picture: ${picture})${complaints.length ? `\nthe browser complained:\n  ${complaints.join("\n  ")}` : ""}`;
        throw error;
      } finally {
        await context.close();
      }
    });
  }
  return { journey, server: () => server, browser: () => browser };
}

export { started, visit };
