import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the command and the library, as they are packed. */
export async function setup(): Promise<void> {
  const run = promisify(execFile);
  await run(process.execPath, ["build.js"], { cwd: ROOT });
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { cwd: ROOT });
}
