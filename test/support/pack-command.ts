import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyTree } from "./copy-tree.ts";

const run = promisify(execFile);

/**
 * The command as a packed package, which npm installs without a registry: bundled as for the image, it carries what it depends on.
 * Built in a copy: whoever builds in this tree meanwhile changes nothing.
 */
export async function packCommand(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "kredo-packed-")), "tree");
  copyTree(folder);
  await run(process.execPath, ["scripts/build.js"], { cwd: folder });
  const whole: Record<string, unknown> = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, type, bin, files } = whole;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, type, bin, files }));
  const { stdout } = await run("npm", ["pack", "--silent"], { cwd: folder });
  return join(folder, stdout.trim());
}
