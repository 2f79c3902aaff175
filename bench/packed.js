import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = new URL("../", import.meta.url).pathname;

/** Packs the command as `npx kredo` would run it, and unpacks it beside its dependencies. */
export async function packCommand() {
  const folder = await mkdtemp(join(tmpdir(), "kredo-packed-"));
  const packed = run("npm", ["pack", "--silent", "--pack-destination", folder], ROOT).trim();
  run("tar", ["-xzf", packed], folder);
  await symlink(join(ROOT, "node_modules"), join(folder, "package/node_modules"));
  // Packing left the package's build in dist, but the other measurements need the ordinary one.
  run(process.execPath, ["scripts/build.js"], ROOT);
  return { command: join(folder, "package/dist/kredo.js"), remove: () => rm(folder, { recursive: true, force: true }) };
}

function run(command, words, cwd) {
  return execFileSync(command, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
