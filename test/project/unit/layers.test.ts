import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brokenImportRules, importsOf } from "./import-rules.ts";

const src = new URL("../../../src/", import.meta.url);

test("every import in src keeps to the layers", () => {
  const files = sourceFiles();

  const broken = files.flatMap((file) => brokenImportRules(file, readFileSync(new URL(file, src), "utf8")));

  expect(broken).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

test("names the file, the import and the rule", () => {
  const broken = brokenImportRules("account/state.ts", 'import type { Clock } from "../ports/clock.ts";');

  expect(broken).toEqual([
    "src/gateway/account/state.ts imports ../ports/clock.ts: account may import only domain, document, settings, scenario",
  ]);
});

test.each([
  ["domain/kes.ts", "../account/state.ts"],
  ["engine/run.ts", "../http/app.ts"],
  ["engine/run.ts", "../adapters/system-clock.ts"],
  ["engine/run.ts", "../sandbox/start-sandbox.ts"],
  ["account/decide/sell.ts", "../../ports/clock.ts"],
  ["adapters/system-clock.ts", "../engine/run.ts"],
  ["http/app.ts", "../index.ts"],
  ["index.ts", "./adapters/system-clock.ts"],
  ["cli/main.ts", "../testing/sandbox.ts"],
  ["domain/kes.ts", "./import-rules.ts"],
  ["unheard-of/file.ts", "../domain/kes.ts"],
])("refuses that src/%s imports %s", (file, specifier) => {
  const broken = brokenImportRules(file, `import { it } from "${specifier}";`);

  expect(broken).toHaveLength(1);
});

test.each([
  ["account/state.ts", "../domain/kes.ts"],
  ["account/decide/sell.ts", "../state.ts"],
  ["http/app.ts", "../engine/run.ts"],
  ["adapters/system-clock.ts", "../ports/clock.ts"],
  ["sandbox/start-sandbox.ts", "../adapters/system-clock.ts"],
  ["sandbox/start-sandbox.ts", "./account-opener.ts"],
  ["testing/create-sandbox.ts", "../sandbox/start-sandbox.ts"],
  ["cli/main.ts", "../sandbox/start-sandbox.ts"],
  ["domain/kes.ts", "zod"],
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

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
}
