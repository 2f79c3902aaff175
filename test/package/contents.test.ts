import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

const packed = inject("packed");
const installed = inject("installed");

test("unpacks to at most 3 MB", () => {
  expect(packed.unpackedSize).toBeLessThanOrEqual(3_000_000);
});

test("holds what is used, and nothing of how it is made", () => {
  const top = new Set(packed.files.map((path) => path.replace(/\/.*$/, "")));
  const kinds = new Set(packed.files.map((path) => path.replace(/^[^.]*(\.d\.ts|\.[^.]*)$/, "$1")));

  expect([...top].toSorted()).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "clients", "dist", "package.json", "scenarios", "schema"]);
  expect([...kinds].filter((kind) => [".ts", ".tsx", ".map"].includes(kind))).toEqual([]);
});

test("names the license of what is bundled", () => {
  expect(packed.files).toEqual(expect.arrayContaining(["dist/licenses.md", "dist/dashboard/licenses.md"]));
});

test("brings few packages along", () => {
  const names = readdirSync(join(installed, "node_modules"), { recursive: true, encoding: "utf8" })
    .filter((path) => /^(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path))
    .map((path) => path.replace("/package.json", ""));

  expect(names.toSorted()).toEqual([
    "@faker-js/faker",
    "@hono/node-server",
    "@opentelemetry/api",
    "bintrees",
    "commander",
    "hono",
    "kredo",
    "node-forge",
    "prom-client",
    "re2js",
    "tdigest",
    "undici",
    "yaml",
    "zod",
  ]);
});

test("holds each shipped scenario as the build prepared it", () => {
  const folder = join(installed, "node_modules/kredo");
  const shipped = readdirSync(join(folder, "scenarios")).filter((file) => file.endsWith(".yaml"));

  const prepared = shipped.map((file) => JSON.parse(readFileSync(join(folder, "dist/scenarios", file.replace("yaml", "json")), "utf8")));

  expect(prepared.map(({ name }) => `${name}.yaml`)).toEqual(shipped);
});
