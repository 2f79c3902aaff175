import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Copies the built command with what it reads, so that nobody builds it anew under a sandbox that runs. */
export function copyCommand(root: string): { command: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "kredo-command-"));
  for (const name of ["dist", "scenarios", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  // Of what is not bundled.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return { command: join(folder, "dist", "kredo.js"), remove: () => rmSync(folder, { recursive: true }) };
}
