import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { copyTree } from "../support/copy-tree.ts";

test("a build under a running sandbox leaves it the code that it has yet to load", { timeout: 240_000 }, async () => {
  const tree = join(mkdtempSync(join(tmpdir(), "kredo-rebuilt-")), "kredo");
  copyTree(tree);
  await build(tree);
  await using sandbox = await startCommand([], {}, join(tree, "dist/kredo.js"));
  appendFileSync(join(tree, "src/control/dashboard.ts"), "\nconsole.debug('changed');\n");
  appendFileSync(join(tree, "src/control/control-api.ts"), "\nconsole.debug('changed');\n");

  await build(tree);

  const statuses = await Promise.all(
    ["/", "/metrics", "/__admin/accounts"].map(
      async (path) => (await fetch(`http://127.0.0.1:${sandbox.port}${path}`)).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 200]);
});

test("a build before npm ci says so in one sentence", async () => {
  const tree = join(mkdtempSync(join(tmpdir(), "kredo-bare-")), "kredo");
  copyTree(tree);
  rmSync(join(tree, "node_modules"));

  await expect(build(tree)).rejects.toMatchObject({
    code: 1,
    stderr: "The packages that build Kredo are not installed: run npm ci first.\n",
  });
});

async function build(tree: string): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/build.js"], { cwd: tree });
}
