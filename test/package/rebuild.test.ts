import { execFile } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { copyTree, ROOT } from "../support/copy-tree.ts";
import { pack } from "./install-package.ts";

/** Of the page and of the command: what it loads at its start, and what it loads later. */
const CHANGED = [
  "src/dashboard/base/format.ts",
  "src/cli/terminal/output.ts",
  "src/control/dashboard.ts",
  "src/control/control-api.ts",
];

test(
  "the same sources are the same package, wherever and after whatever builds it is packed, and a sandbox of an earlier build keeps the code that it has yet to load",
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "kredo-same-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const tree = join(folder, "elsewhere");
    copyTree(tree);
    for (const file of CHANGED) appendFileSync(join(tree, file), "\nglobalThis.changed = true;\n");
    await build(tree);
    await using sandbox = await startCommand([], {}, join(tree, "dist/kredo.js"));
    for (const file of CHANGED) copyFileSync(join(ROOT, file), join(tree, file));

    const { filename } = pack(tree, folder);

    const statuses = await Promise.all(
      ["/", "/metrics", "/__admin/accounts"].map(
        async (path) => (await fetch(`http://127.0.0.1:${sandbox.port}${path}`)).status,
      ),
    );
    expect({
      isSame: readFileSync(join(folder, filename)).equals(readFileSync(inject("tarball"))),
      statuses,
    }).toEqual({ isSame: true, statuses: [200, 200, 200] });
  },
);

test("a build before npm ci says so in one sentence", async () => {
  const tree = join(mkdtempSync(join(tmpdir(), "kredo-bare-")), "kredo");
  copyTree(tree);
  rmSync(join(tree, "node_modules"));

  await expect(build(tree)).rejects.toMatchObject({
    code: 1,
    stderr: "The packages that build Kredo are not installed: run npm ci first.\n",
  });
});

test("the page is built for production, also where a test runner builds it", () => {
  const dist = join(inject("tree"), "dist/dashboard");
  const [script = ""] = /assets\/index-[\w-]+\.js/.exec(readFileSync(join(dist, "index.html"), "utf8")) ?? [];

  expect(process.env["NODE_ENV"]).toBe("test");
  expect(readFileSync(join(dist, script), "utf8")).not.toMatch(/jsxDEV|src\/dashboard/);
});

async function build(tree: string): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/build.js"], { cwd: tree });
}
