import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, posix } from "node:path";
import { expect, inject, test } from "vitest";
import { anchor } from "../../scripts/markdown.ts";
import { ROOT } from "../support/copy-tree.ts";

const packed = inject("packed");
const installed = inject("installed");

test("unpacks to at most 5 MB, its docs included", () => {
  expect(packed.unpackedSize).toBeLessThanOrEqual(5_000_000);
});

test("holds what is used, and nothing of how it is made", () => {
  const top = new Set(packed.files.map((path) => path.replace(/\/.*$/, "")));
  const code = packed.files.filter((path) => !path.startsWith("docs/"));
  const kinds = new Set(code.map((path) => path.replace(/^[^.]*(\.d\.ts|\.[^.]*)$/, "$1")));

  expect([...top].toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "clients",
    "dist",
    "docs",
    "examples",
    "package.json",
    "scenarios",
    "schema",
  ]);
  expect([...kinds].filter((kind) => [".ts", ".tsx", ".map"].includes(kind))).toEqual([]);
});

test("names the license of what is bundled", () => {
  expect(packed.files).toEqual(expect.arrayContaining(["dist/licenses.md", "dist/dashboard/licenses.md"]));
});

test("runs no script when it is installed", () => {
  const { scripts } = readPackage();

  // npm asks about all of these (npm documentation, "Life Cycle Scripts").
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$|^prepublish$/.test(name))).toEqual([]);
});

test("has its pages, whose links and pictures lead to pages, files and headings of the package", () => {
  const pages = packed.files.filter((path) => path.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/(?:\]\(|\bsrc(?:set)?=")(?!https?:)([^)"\s]*)[)"]/g)].map(([, target = ""]) => {
      const [path = "", heading] = target.split("#");
      return { page, target, path: path === "" ? page : posix.join(dirname(page), path), heading };
    }),
  );
  const isThere = ({ path, heading }: { path: string; heading?: string }): boolean =>
    packed.files.some((file) => file === path || file.startsWith(`${path}/`)) &&
    (heading === undefined || anchorsOf(textOf(path)).includes(heading));

  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !isThere(link)).map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
});

test("names no repository before there is one", () => {
  const named = packed.files.filter((path) => /\.(md|js|json|ya?ml)$/.test(path) && /your-org/i.test(textOf(path)));

  expect(named).toEqual([]);
});

function textOf(path: string): string {
  return readFileSync(join(installed, "node_modules/kredo", path), "utf8");
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading));
}

test("kredo docs prints a page of the package, references too", () => {
  const command = join(installed, "node_modules/.bin/kredo");
  const docs = (...page: string[]) => spawnSync(command, ["docs", ...page], { encoding: "utf8" });

  const [list, page, reference] = [docs(), docs("gateway"), docs("scenario-reference")];

  expect(list.stdout).toMatch(/^ {2}gateway +How the gateway behaves$/m);
  expect(page.stdout).toContain("# How the gateway behaves");
  expect(reference.stdout).toContain("# Scenario file");
});

test("brings no other package along", () => {
  const names = readdirSync(join(installed, "node_modules")).filter((name) => !name.startsWith("."));

  expect(names).toEqual(["kredo"]);
});

test("imports nothing but Node's modules and its peers, in code and in declarations", () => {
  const { peerDependencies } = readPackage();
  const code = packed.files.filter((path) => /^dist\/(?!dashboard\/).*\.(js|d\.ts)$/.test(path));

  const named = code.flatMap((path) => {
    const text = readFileSync(join(installed, "node_modules/kredo", path), "utf8");
    return [...text.matchAll(/^\s*(?:im|ex)port\b[^"';]*from\s*"([^".][^"]*)"|\bimport\("([^".][^"]*)"\)/gm)].map(
      ([, statically, dynamically]) => statically ?? dynamically ?? "",
    );
  });

  const outside = [...new Set(named)].filter((name) => !isBuiltin(name));
  expect(outside.toSorted()).toEqual(Object.keys(peerDependencies).toSorted());
});

test.each([
  ["kredo serve", ["command", "start"], 487_000],
  ["any other command", ["command"], 100_000],
])("%s loads at its start the chunks %j, of at most %d bytes with what they import", (_, names, limit) => {
  const dist = join(installed, "node_modules/kredo/dist");
  const chunks = readdirSync(dist).filter((file) => names.some((name) => file.startsWith(`${name}-`)));

  const loaded = [...chunks.reduce((found, file) => importsOf(join(dist, file), found), new Set<string>())];

  expect(chunks).toHaveLength(names.length);
  expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(limit);
});

test("kredo/gateway loads the mock alone", () => {
  const dist = join(installed, "node_modules/kredo/dist");

  const loaded = [...importsOf(join(dist, "lib/gateway.js"), new Set<string>())];

  const names = loaded.map((file) => basename(file).replace(/-[\w-]{8}\.js$/, ""));
  expect(names.toSorted()).toEqual(["gateway", "gateway.js", "node-version", "shared"]);
  expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(350_000);
});

test("holds each shipped scenario once, as the build prepared it", () => {
  const written = readdirSync(join(ROOT, "scenarios")).filter((file) => file.endsWith(".yaml"));

  const shipped = packed.files.filter((path) => /(^|\/)scenarios\/[^/]+$/.test(path));

  expect(shipped).toEqual(written.map((file) => `dist/scenarios/${file.replace("yaml", "json")}`));
  expect(JSON.parse(textOf("dist/scenarios/magic-numbers.json"))).toMatchObject({
    text: readFileSync(join(ROOT, "scenarios/magic-numbers.yaml"), "utf8"),
    scenario: { name: "magic-numbers" },
  });
});

/** Adds a file, what it imports statically, and what these import. */
function importsOf(file: string, found: Set<string>): Set<string> {
  if (found.has(file)) return found;
  const imports = readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport)\s*["'`](\.\.?\/[^"'`]+)["'`]/g);
  return [...imports].reduce((all, [, path = ""]) => importsOf(join(dirname(file), path), all), found.add(file));
}

function readPackage(): { scripts: object; peerDependencies: object } {
  return JSON.parse(readFileSync(join(installed, "node_modules/kredo/package.json"), "utf8"));
}
