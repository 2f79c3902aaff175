import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openPageEnvironment } from "./page-environment.ts";
import { readText } from "./read-page.ts";

const page = readText("docs/tests-in-javascript.md");

test("node --test runs the sample of node:test", async () => {
  const { code, printed } = await runSample(process.execPath, "--test node.test.js");

  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/^# pass 1\n# fail 0$/m) });
  expect(page).toContain("`node --test`");
});

test("bun test runs the sample of Bun", async () => {
  const { code, printed } = await runSample(await installBun(), "test bun.test.js");

  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/^ 1 pass\n 0 fail$/m) });
  expect(page).toContain("`bun test`");
});

async function runSample(program: string, words: string) {
  const path = "docs/samples/runners";
  const how = new Map([
    ["recipe", path],
    ["sandbox", "none"],
  ]);
  await using environment = await openPageEnvironment({ path, how, blocks: [] });
  return await environment.run(`"${program}" ${words}`);
}

/** The package `bun` has its program in a package for each platform; for older processors, npm has another one. */
async function installBun(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-bun-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const programOf = async (...names: readonly string[]): Promise<string> => {
    await run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", ...names], {
      cwd: folder,
    });
    const platforms = readdirSync(join(folder, "node_modules/@oven"));
    return join(folder, "node_modules/@oven", platforms.at(-1) ?? "", "bin/bun");
  };
  const usual = await programOf("bun@1.4.5");
  return run(usual, ["--version"]).then(
    () => usual,
    () => programOf("@oven/bun-linux-x64-baseline@1.4.5"),
  );
}

const run = promisify(execFile);
