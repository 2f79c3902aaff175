import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { anchor } from "../../../scripts/markdown.ts";
import { pagePaths, ROOT } from "../../docs/read-page.ts";

const links = pagePaths().flatMap((page) =>
  [...readFileSync(new URL(page, ROOT), "utf8").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => ({
    page,
    target,
  })),
);

test("finds links", () => {
  expect(links.length).toBeGreaterThan(10);
});

test.each(links)("$page leads to $target", ({ page, target }) => {
  const [path = "", heading] = target.split("#");
  const file = path === "" ? new URL(page, ROOT) : new URL(path, new URL(page, ROOT));

  expect(existsSync(file)).toBe(true);
  expect(headingsOf(file, heading)).toContain(heading);
});

/** As a forge makes anchors of headings; a link without one leads to the page itself. */
function headingsOf(file: URL, wanted: string | undefined): (string | undefined)[] {
  if (wanted === undefined) return [undefined];
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading));
}
