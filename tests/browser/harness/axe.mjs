// axe-core on the page as it is now. Run through the debugger's evaluate, which a content security policy allows.

import { createRequire } from "node:module";

const SOURCE = createRequire(import.meta.url)("axe-core").source;
const COUNTS = new Set(["serious", "critical"]);

/** Serious and critical findings, each as one readable line with the elements it is about. */
export async function axeFindings(page, { within } = {}) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  const violations = await page.evaluate(async (selector) => {
    const result = await window.axe.run(selector ?? document, { resultTypes: ["violations"] });
    return result.violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, targets: nodes.map((node) => node.target.join(" ")) }));
  }, within);
  return violations
    .filter(({ impact }) => COUNTS.has(impact))
    .map(({ id, impact, help, targets }) => `${impact}: ${id}: ${help}: ${targets.slice(0, 5).join(", ")}${targets.length > 5 ? ` and ${targets.length - 5} more` : ""}`);
}
