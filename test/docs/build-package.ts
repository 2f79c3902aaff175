import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { copyTree, ROOT } from "../support/copy-tree.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package, and the same unpacked, with its dependencies in reach. */
    tarball: string;
    installed: string;
  }
}

/** Packs the package as it is published. */
export async function setup(project: TestProject): Promise<() => void> {
  const run = promisify(execFile);
  const folder = mkdtempSync(join(tmpdir(), "kredo-package-"));
  const tree = join(folder, "tree");
  copyTree(tree);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: tree });
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  await run("tar", ["-xzf", tarball, "-C", folder]);
  project.provide("tarball", tarball);
  project.provide("installed", join(folder, "package"));
  return () => rmSync(folder, { recursive: true, force: true });
}
