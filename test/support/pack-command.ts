import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = new URL("../../", import.meta.url);
const BUILT_FROM = ["package.json", "scenarios", "schema", "scripts", "src", "tsconfig.json"];

const run = promisify(execFile);

/**
 * The command as a packed package, which npm installs without a registry: bundled as for the image, it carries what it depends on.
 * Built in a copy: whoever builds in this tree meanwhile changes nothing.
 */
export async function packCommand(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-packed-"));
  for (const name of BUILT_FROM) cpSync(new URL(name, ROOT), join(folder, name), { recursive: true });
  symlinkSync(fileURLToPath(new URL("node_modules", ROOT)), join(folder, "node_modules"));
  await run(process.execPath, ["scripts/build.js"], { cwd: folder });
  const whole: Record<string, unknown> = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, type, bin, files } = whole;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, type, bin, files }));
  const { stdout } = await run("npm", ["pack", "--silent"], { cwd: folder });
  return join(folder, stdout.trim());
}
