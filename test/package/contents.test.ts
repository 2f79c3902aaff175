import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, posix } from "node:path";
import { expect, inject, test } from "vitest";

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

/** For people who work on Kredo, and generated references, which `kredo docs` names with what says the same. */
const NOT_PACKED = /^(CONTRIBUTING|src\/README|docs\/(commands|control-api|[a-z]+-reference))\.md$/;

test("has its pages, whose links lead to files of the package", () => {
  const pages = packed.files.filter((path) => path.endsWith(".md"));
  const leading = pages.flatMap((page) => {
    const text = readFileSync(join(installed, "node_modules/kredo", page), "utf8");
    return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = ""]) => ({
      page,
      target: posix.join(dirname(page), target),
    }));
  });
  const isThere = (target: string): boolean =>
    packed.files.some((path) => path === target || path.startsWith(`${target}/`));

  expect(leading.length).toBeGreaterThan(50);
  expect(leading.filter(({ target }) => !isThere(target) && !NOT_PACKED.test(target))).toEqual([]);
  expect(packed.files.filter((path) => NOT_PACKED.test(path))).toEqual([]);
});

test("kredo docs prints a page of the package, and says where the others are", () => {
  const command = join(installed, "node_modules/.bin/kredo");
  const docs = (...page: string[]) => spawnSync(command, ["docs", ...page], { encoding: "utf8" });

  const [list, page, reference] = [docs(), docs("gateway"), docs("control-api")];

  expect(list.stdout).toMatch(/^ {2}gateway +How the gateway behaves$/m);
  expect(list.stdout).toContain("  control-api (here: schema/openapi.json)\n");
  expect(page.stdout).toContain("# How the gateway behaves");
  expect(reference.status).toBe(2);
  expect(reference.stderr).toMatch(
    /^PAGE: "control-api" is not in the package; it is at https:.*; schema\/openapi\.json says/,
  );
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
  ["kredo serve", ["command", "start"], 450_000],
  ["any other command", ["command"], 100_000],
  ["kredo/gateway", ["gateway"], 350_000],
])("%s loads at its start the chunks %j, of at most %d bytes with what they import", (_, names, limit) => {
  const dist = join(installed, "node_modules/kredo/dist");
  const chunks = readdirSync(dist).filter((file) => names.some((name) => file.startsWith(`${name}-`)));

  const loaded = [...chunks.reduce((found, file) => importsOf(join(dist, file), found), new Set<string>())];

  expect(chunks).toHaveLength(names.length);
  expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(limit);
});

test("holds each shipped scenario as the build prepared it", () => {
  const folder = join(installed, "node_modules/kredo");
  const shipped = readdirSync(join(folder, "scenarios")).filter((file) => file.endsWith(".yaml"));

  const prepared = shipped.map((file) =>
    JSON.parse(readFileSync(join(folder, "dist/scenarios", file.replace("yaml", "json")), "utf8")),
  );

  expect(prepared.map(({ scenario }) => `${scenario.name}.yaml`)).toEqual(shipped);
});

/** Adds a file, what it imports statically, and what these import. */
function importsOf(file: string, found: Set<string>): Set<string> {
  if (found.has(file)) return found;
  const imports = readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport)\s*["'`](\.\/[^"'`]+)["'`]/g);
  return [...imports].reduce((all, [, path = ""]) => importsOf(join(dirname(file), path), all), found.add(file));
}

function readPackage(): { scripts: object; peerDependencies: object } {
  return JSON.parse(readFileSync(join(installed, "node_modules/kredo/package.json"), "utf8"));
}
