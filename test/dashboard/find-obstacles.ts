import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import type { Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in the page as it is, by day and by night, each in a line: rule, element, what is wrong. */
export async function findObstacles(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const byDay = await runAxe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // Nothing but colours is another.
  const byNight = await runAxe(page, "color-contrast");
  return [...byDay, ...byNight.map((line) => `by night, ${line}`)];
}

async function runAxe(page: Page, rule?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (rule) => {
    const axe: typeof axeCore = Reflect.get(window, "axe");
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      rules: { "target-size": { enabled: true } },
      ...(rule !== undefined && { runOnly: [rule] }),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 160)}\n    ${failureSummary.replaceAll("\n", " ")}`,
      ),
    );
  }, rule);
}
