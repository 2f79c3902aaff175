import { cpSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** This repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What is made here, or is not part of the package's making. */
const LEFT_BEHIND = ["node_modules", ".git", "dist", "coverage"];

/** Copies what the package is made of, dependencies in reach: whoever builds in this tree meanwhile changes nothing. */
export function copyTree(tree: string): void {
  cpSync(ROOT, tree, { recursive: true, filter: (path) => !LEFT_BEHIND.includes(basename(path)) });
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
}
