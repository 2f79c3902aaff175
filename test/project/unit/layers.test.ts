import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brokenImportRules, circlesOf, folderCirclesOf, importsOf, loadedBy } from "./import-rules.ts";

const src = new URL("../../../src/", import.meta.url);

test("every import in src keeps to the rooms", () => {
  const files = sourceFiles();

  const broken = files.flatMap((file) => brokenImportRules(file, readFileSync(new URL(file, src), "utf8")));

  expect(broken).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

test("no files of src import each other in a circle, types included", () => {
  expect(circlesOf(readSources())).toEqual([]);
});

test("finds a circle that only a type closes", () => {
  const sources = new Map([
    ["cli/a.ts", 'import { b } from "./b.ts";'],
    ["cli/b.ts", 'import { c } from "./c/c.ts";\nimport { d } from "./d.ts";'],
    ["cli/c/c.ts", 'import type { A } from "../a.ts";'],
    ["cli/d.ts", 'import { readFileSync } from "node:fs";'],
  ]);

  expect(circlesOf(sources)).toEqual([["cli/a.ts", "cli/b.ts", "cli/c/c.ts", "cli/a.ts"]]);
});

test("the folders of a room import each other one way only, types included", () => {
  expect(folderCirclesOf(readSources())).toEqual([]);
});

test.each([
  ["../c.ts", ["cli/.", "cli/one", "cli/."]],
  ["../two/d.ts", ["cli/one", "cli/two", "cli/one"]],
  ["./in/e.ts", ["cli/one/.", "cli/one/in", "cli/one/."]],
])("finds the circle of folders that an import of %s closes", (specifier, circle) => {
  const sources = new Map([
    ["cli/a.ts", 'import { b } from "./one/b.ts";'],
    ["cli/one/b.ts", `import type { It } from "${specifier}";`],
    ["cli/c.ts", ""],
    ["cli/two/d.ts", ""],
    ["cli/two/deep/d.ts", 'import { f } from "../../one/f.ts";'],
    ["cli/one/in/e.ts", 'import { f } from "../f.ts";'],
    ["cli/one/f.ts", ""],
  ]);

  expect(folderCirclesOf(sources)).toEqual([circle]);
});

test("allows files beside a folder to be above it, or below it", () => {
  const sources = new Map([
    ["cli/main.ts", 'import { a } from "./one/a.ts";'],
    ["cli/one/a.ts", 'import { b } from "../two/b.ts";'],
    ["cli/two/b.ts", ""],
    ["verdict/one/a.ts", 'import { b } from "../b.ts";'],
    ["verdict/b.ts", ""],
  ]);

  expect(folderCirclesOf(sources)).toEqual([]);
});

test("the page loads neither zod nor anything of Node.js", () => {
  const loaded = loadedBy("dashboard/main.tsx", readSources());

  expect(loaded).toContain("gateway/account/apply.ts");
  expect(loaded).toContain("preact");
  expect(loaded.filter((one) => /^(zod|yaml|node:.*)$/.test(one))).toEqual([]);
});

test("follows values only to find what a file loads", () => {
  const sources = new Map([
    ["a.ts", 'import { type B, b } from "./b.ts";\nimport type { C } from "./c.ts";\nimport { type D } from "./d.ts";'],
    ["b.ts", 'import * as z from "zod";\nexport const b = z.string();'],
    ["c.ts", 'import "./never.ts";'],
    ["d.ts", 'import "./never.ts";'],
  ]);

  expect(loadedBy("a.ts", sources)).toEqual(["a.ts", "b.ts", "zod"]);
});

test("no exported name is exported by another file, too", () => {
  const filesOf = new Map<string, Set<string>>();
  for (const file of sourceFiles()) {
    for (const name of exportedBy(readFileSync(new URL(file, src), "utf8"))) {
      if (ALIKE[name]?.test(file) !== true) filesOf.set(name, new Set(filesOf.get(name)).add(file));
    }
  }

  expect([...filesOf].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
  expect(filesOf.size).toBeGreaterThan(1_000);
});

/**
 * The modules that export the same name on purpose: the command line loads each command by its file's name and takes its `command`, and the
 * fixtures for Vitest and Playwright both replace their runner's `test`.
 */
const ALIKE: Readonly<Record<string, RegExp>> = { command: /^cli\/commands\//, test: /^testing\/fixtures\// };

test.each([
  ["export function sell(): void {}\nexport async function sellAll() {}", ["sell", "sellAll"]],
  ["export const PRODUCTS = [];\nexport let last = 0;", ["PRODUCTS", "last"]],
  ["export type Order = object;\nexport interface Sale {}\nexport class Wallet {}", ["Order", "Sale", "Wallet"]],
  ["export abstract class Store {}\nexport function* numbers() {}", ["Store", "numbers"]],
  ["const own = 1;\nfunction helper() {}\n// export const commented = 1;", []],
])("reads the exported names of %j", (source, names) => {
  expect(exportedBy(source)).toEqual(names);
});

function exportedBy(source: string): string[] {
  const declaration = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface) (\w+)/gm;
  return [...source.matchAll(declaration)].flatMap(([, name]) => name ?? []);
}

test("names the file, the import and the rule", () => {
  const broken = brokenImportRules("storage/journals.ts", 'import type { Route } from "../control/route.ts";');

  expect(broken).toEqual(["src/storage/journals.ts imports ../control/route.ts: storage may import only gateway"]);
});

test.each([
  ["gateway/domain/kes.ts", "../../storage/journals.ts"],
  ["gateway/http/authenticate.ts", "../../verdict/checks/findings.ts"],
  ["gateway/start-gateway.ts", "../version.ts"],
  ["control/events.ts", "../verdict/checks/finding.ts"],
  ["dashboard/main.tsx", "../control/route.ts"],
  ["verdict/trial.ts", "../sandbox.ts"],
  ["testing/sandbox.ts", "../index.ts"],
  ["testing/create-sandbox.ts", "../tls/https.ts"],
  ["testing/create-sandbox.ts", "../sandbox.ts"],
  ["cli/main.ts", "../testing/sandbox.ts"],
  ["gateway/domain/kes.ts", "../../../test/project/unit/import-rules.ts"],
  ["unheard-of/file.ts", "../gateway/domain/kes.ts"],
  ["gateway/domain/order.ts", "../document/values.ts"],
  ["gateway/settings/account.ts", "../account/events.ts"],
  ["gateway/scenario/schema.ts", "../account/state.ts"],
  ["gateway/account/decide/apply-rules.ts", "../../adapters/files/shipped-scenarios.ts"],
  ["gateway/account/state.ts", "../engine/world.ts"],
  ["gateway/engine/account.ts", "../http/gateway.ts"],
  ["gateway/http/authenticate.ts", "../adapters/server/node-server.ts"],
  ["gateway/adapters/time/system-clock.ts", "../../engine/world.ts"],
  ["gateway/domain/kes.ts", "../open-gateway.ts"],
  ["gateway/unheard-of/file.ts", "../domain/kes.ts"],
  ["verdict/orders/judge-order.ts", "../report/report.ts"],
  ["verdict/checks/receiver.ts", "../report/timeline.ts"],
  ["verdict/report/text.ts", "../exploration/explore.ts"],
  ["verdict/verdict.ts", "./report/report.ts"],
  ["verdict/unheard-of/file.ts", "../verdict.ts"],
])("refuses that src/%s imports %s", (file, specifier) => {
  const broken = brokenImportRules(file, `import { it } from "${specifier}";`);

  expect(broken).toHaveLength(1);
});

test.each([
  ["gateway/account/state.ts", "../domain/kes.ts"],
  ["gateway/document/values.ts", "../domain/kes.ts"],
  ["gateway/engine/world.ts", "../ports/wall-clock.ts"],
  ["gateway/open-gateway.ts", "./adapters/time/system-clock.ts"],
  ["storage/journals.ts", "../gateway/engine/world.ts"],
  ["verdict/trial.ts", "../control/client/control-client.ts"],
  ["verdict/exploration/explore.ts", "../report/report.ts"],
  ["verdict/report/report.ts", "../severities.ts"],
  ["dashboard/main.tsx", "../control/client/shapes.ts"],
  ["sandbox.ts", "./control/control-api.ts"],
  ["index.ts", "./testing/sandbox.ts"],
  ["cli/main.ts", "../sandbox.ts"],
  ["gateway/domain/kes.ts", "zod"],
])("allows that src/%s imports %s", (file, specifier) => {
  const broken = brokenImportRules(file, `import { it } from "${specifier}";`);

  expect(broken).toEqual([]);
});

test.each([
  ['import { a } from "./a.ts";', ["./a.ts"]],
  ['import type { A } from "./a.ts";', ["./a.ts"]],
  ['import {\n  type A,\n  b,\n} from "./a.ts";', ["./a.ts"]],
  ['import "./a.ts";', ["./a.ts"]],
  ['import * as a from "./a.ts";\nimport b from "./b.ts";', ["./a.ts", "./b.ts"]],
  ['export * from "./a.ts";', ["./a.ts"]],
  ['export { a } from "./a.ts";', ["./a.ts"]],
  ['const { a } = await import("./a.ts");', ["./a.ts"]],
  ['type A = import("./a.ts").A;', ["./a.ts"]],
  ['// import { a } from "./a.ts";', []],
  ['/** import { a } from "./a.ts"; */', []],
  ['export const from = "./a.ts";', []],
  ['export function from() {\n  return { from: "./a.ts" };\n}', []],
])("reads the imports of %j", (source, specifiers) => {
  expect(importsOf(source)).toEqual(specifiers);
});

function readSources(): Map<string, string> {
  return new Map(sourceFiles().map((file) => [file, readFileSync(new URL(file, src), "utf8")]));
}

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
}
