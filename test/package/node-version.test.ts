import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { folderIn } from "./run.ts";

const installed = inject("installedWithPeers");
const COMMAND = join(installed, "node_modules/kredo/dist/kredo.js");

/** Makes Node say that it is another version; the rest of it stays what it is. */
const AS_NODE_18 = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });`;

const ENTRIES = Object.keys(readPackage(installed).exports).filter((entry) => !entry.endsWith("json"));

test.each([
  ["the command", () => COMMAND],
  ["npm start", () => join(inject("tree"), "scripts/build.js")],
  ["require of kredo/jest", () => program("old.cjs", 'require("kredo/jest");')],
  ...ENTRIES.map((entry): [string, () => string] => [
    `import of ${entry}`,
    () => program("old.mjs", `import ${JSON.stringify(join("kredo", entry))};`),
  ]),
])("%s is one sentence and exit code 2 on Node 18", async (_what, file) => {
  const running = promisify(execFile)(process.execPath, ["-r", program("old-node.cjs", AS_NODE_18), file()]);

  await expect(running).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: "Kredo needs Node 20.19 or newer, and this is Node 18.20.8: install a newer one (nodejs.org).\n",
  });
});

test("the sentence names the oldest Node that the package takes", () => {
  expect(readPackage(installed).engines).toEqual({ node: ">=20.19" });
  expect(ENTRIES).toContain("./vitest");
});

/** What Node 20.20 exports and Node 18.20 does not, found by importing every module in both. */
const NEWER_THAN_NODE_18 =
  /^(availableMemory|crc32|createTask|duplexPair|getBuiltinModule|hash|isValidSyntax|loadEnvFile|matchesGlob|openAsBlob|parseEnv|performServerHandshake|postMessageToThread|queryObjects|styleText)$/;

test("nothing that Node 18 does not export is imported by name, because Node 18 would stop at that", () => {
  const dist = join(installed, "node_modules/kredo/dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));

  const names = files.flatMap((file) => importedFromNode(readFileSync(join(dist, file), "utf8")));

  expect(names).toContain("randomUUID");
  expect(names.filter((name) => NEWER_THAN_NODE_18.test(name))).toEqual([]);
});

function importedFromNode(source: string): string[] {
  const imports = source.matchAll(/import\s*(?:[\w$]+\s*,)?\s*\{([^}]*)\}\s*from\s*["'`]node:/g);
  return [...imports].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim().split(" ")[0] ?? ""));
}

function program(name: string, text: string): string {
  const file = join(folderIn(installed), name);
  writeFileSync(file, text);
  return file;
}

function readPackage(project: string): { readonly exports: object; readonly engines: object } {
  return JSON.parse(readFileSync(join(project, "node_modules/kredo/package.json"), "utf8"));
}
