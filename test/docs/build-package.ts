import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package, and the same unpacked, with its dependencies in reach. */
    tarball: string;
    installed: string;
  }
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What is made here, or is not part of the package's making. */
const LEFT_BEHIND = ["node_modules", ".git", "dist", "coverage"];

/** Packs the package as it is published, out of a copy: whoever builds in this tree meanwhile changes nothing. */
export async function setup(project: TestProject): Promise<() => void> {
  const run = promisify(execFile);
  const folder = mkdtempSync(join(tmpdir(), "kredo-package-"));
  const tree = join(folder, "tree");
  cpSync(ROOT, tree, { recursive: true, filter: (path) => !LEFT_BEHIND.includes(basename(path)) });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: tree });
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  await run("tar", ["-xzf", tarball, "-C", folder]);
  project.provide("tarball", tarball);
  project.provide("installed", join(folder, "package"));
  return () => rmSync(folder, { recursive: true, force: true });
}
