import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/copy-tree.ts";

/** The mock, its tests, and what they read. */
const KEPT = [
  "src/gateway",
  "test/gateway",
  "test/support/gateway",
  "scenarios",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];

test(
  "the gateway type-checks with its tests, and answers orders, without the other rooms",
  { timeout: 600_000 },
  () => {
    const tree = mkdtempSync(join(tmpdir(), "kredo-gateway-"));
    for (const path of KEPT) cpSync(join(ROOT, path), join(tree, path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));

    const types = run(tree, "typescript", "bin/tsc", "--singleThreaded", "-p", ".");
    const tests = run(tree, "vitest", "vitest.mjs", "run", "test/gateway/http");

    expect(types).toEqual({ status: 0, output: "" });
    expect(tests).toMatchObject({ status: 0, output: expect.stringMatching(/Tests +\d+ passed/) });
  },
);

function run(cwd: string, name: string, bin: string, ...args: string[]): { status: number | null; output: string } {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, bin), ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}
