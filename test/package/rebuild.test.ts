import { execFile, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { copyTree } from "../support/copy-tree.ts";

test("a build under a running sandbox leaves it the code that it has yet to load", { timeout: 240_000 }, async () => {
  const tree = join(mkdtempSync(join(tmpdir(), "kredo-rebuilt-")), "kredo");
  copyTree(tree);
  await build(tree);
  await using sandbox = await serve(tree);
  appendFileSync(join(tree, "src/http/dashboard.ts"), "\nconsole.debug('changed');\n");
  appendFileSync(join(tree, "src/http/control/control-api.ts"), "\nconsole.debug('changed');\n");

  await build(tree);

  const statuses = await Promise.all(
    ["/", "/docs", "/metrics", "/__admin/accounts"].map(async (path) => (await fetch(`${sandbox.url}${path}`)).status),
  );
  expect(statuses).toEqual([200, 200, 200, 200]);
});

async function build(tree: string): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/build.js"], { cwd: tree });
}

async function serve(tree: string): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, [join(tree, "dist/kredo.js"), "serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  while (!printed.includes("Ready.")) await once(child.stdout, "data");
  return {
    url: /http:\/\/[\d.]+:\d+/.exec(printed)?.[0] ?? "",
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}
