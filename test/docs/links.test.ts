import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { anchor } from "../../scripts/markdown.ts";
import { pagePaths, ROOT } from "./read-page.ts";

const links = pagePaths().flatMap((page) =>
  [...readFileSync(new URL(page, ROOT), "utf8").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => ({
    page,
    target,
  })),
);

test("there are links", () => {
  expect(links.length).toBeGreaterThan(10);
});

test.each(links)("$page leads to $target", ({ page, target }) => {
  const [path = "", heading] = target.split("#");
  const file = path === "" ? new URL(page, ROOT) : new URL(path, new URL(page, ROOT));

  expect(existsSync(file)).toBe(true);
  expect(headingsOf(file, heading)).toContain(heading);
});

const sources = ["src", "test", "scripts"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
);

test.each(["src/README.md", "CONTRIBUTING.md"])("%s names source files that exist", (page) => {
  const names = [...readFileSync(new URL(page, ROOT), "utf8").matchAll(/`([\w./*-]+\.tsx?)`/g)].map(
    ([, name = ""]) => name,
  );

  const missing = names.filter((name) => !sources.some((path) => isNamed(path, name)));

  expect(names.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

/** A name may leave out the folders above, and NAME, ID and * stand for any name. */
function isNamed(path: string, name: string): boolean {
  const pattern = name.replace(/[.]/g, "\\.").replace(/\bNAME\b|\bID\b|\*/g, "[^/]*");
  return new RegExp(`(^|/)${pattern}$`).test(path);
}

/** As a forge makes anchors of headings; a link without one leads to the page itself. */
function headingsOf(file: URL, wanted: string | undefined): (string | undefined)[] {
  if (wanted === undefined) return [undefined];
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading));
}
