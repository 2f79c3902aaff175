import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

const NODE = `node-${process.platform}-${process.arch}`;

test("version 12 of Testcontainers, on the Node that it needs, passes every test of version 11", async () => {
  const { node, testcontainers } = await install(`${NODE}@24`, "testcontainers@12.2.0");

  const { numFailedTests, numPassedTests } = await runTests(node, testcontainers);

  expect({ numFailedTests, numPassedTests }).toEqual({ numFailedTests: 0, numPassedTests: expect.any(Number) });
  expect(numPassedTests).toBeGreaterThan(5);
  expect(neededNode(testcontainers)).toBe(">= 22.22");
  const page = readFileSync(new URL("../../docs/containers.md", import.meta.url), "utf8");
  expect(page).toMatch(/version 12 with Node 22\.22 or\snewer/);
}, 300_000);

async function install(...packages: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "kredo-testcontainers-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const words = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  await run("npm", words, { cwd: folder });
  const modules = join(folder, "node_modules");
  return { node: join(modules, NODE, "bin/node"), testcontainers: join(modules, "testcontainers") };
}

async function runTests(node: string, testcontainers: string) {
  const words = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/container/vitest.config.ts"];
  const { stdout } = await run(node, [...words, "--reporter=json", "testcontainers.test.ts"], {
    cwd: new URL("../../", import.meta.url),
    env: { ...process.env, TESTCONTAINERS: testcontainers, KREDO_TEST_IMAGE: inject("image") },
  });
  const report: { numFailedTests: number; numPassedTests: number } = JSON.parse(stdout);
  return report;
}

function neededNode(testcontainers: string): string {
  const { engines }: { engines: { node: string } } = JSON.parse(
    readFileSync(join(testcontainers, "package.json"), "utf8"),
  );
  return engines.node;
}

const run = promisify(execFile);
