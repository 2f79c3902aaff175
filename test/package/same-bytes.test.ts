import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { copyTree, ROOT } from "../support/copy-tree.ts";
import { pack } from "./install-package.ts";

test(
  "the same sources are the same package, wherever and after whatever builds it is packed",
  { timeout: 240_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "kredo-same-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const tree = join(folder, "elsewhere");
    copyTree(tree);
    const [page, command] = ["src/dashboard/base/format.ts", "src/cli/terminal/output.ts"];
    for (const file of [page, command]) appendFileSync(join(tree, file), "\nglobalThis.changed = true;\n");
    execFileSync(process.execPath, ["scripts/build.js"], { cwd: tree });
    for (const file of [page, command]) copyFileSync(join(ROOT, file), join(tree, file));

    const { filename } = pack(tree, folder);

    expect(readFileSync(join(folder, filename)).equals(readFileSync(inject("tarball")))).toBe(true);
  },
);

test("the page is built for production, also where a test runner builds it", () => {
  const dist = join(inject("tree"), "dist/dashboard");
  const [script = ""] = /assets\/index-[\w-]+\.js/.exec(readFileSync(join(dist, "index.html"), "utf8")) ?? [];

  expect(process.env["NODE_ENV"]).toBe("test");
  expect(readFileSync(join(dist, script), "utf8")).not.toMatch(/jsxDEV|src\/dashboard/);
});
