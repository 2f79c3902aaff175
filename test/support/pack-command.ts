import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildCommand } from "./command.ts";

const ROOT = new URL("../../", import.meta.url);

/** The command as a packed package, which npm installs without a registry: the bundle carries what it depends on. */
export async function packCommand(): Promise<string> {
  await buildCommand();
  const folder = mkdtempSync(join(tmpdir(), "kredo-packed-"));
  for (const name of ["dist", "schema", "scenarios"]) cpSync(new URL(name, ROOT), join(folder, name), { recursive: true });
  const { name, version, type, bin }: Record<string, unknown> = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, type, bin }));
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent"], { cwd: folder });
  return join(folder, stdout.trim());
}
