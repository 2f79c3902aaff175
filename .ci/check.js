// Runs every check of the project, even if some fail, and reports which did.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));
const failed = checks.filter((name) => !passes(name));
console.log(failed.length === 0 ? `All ${checks.length} checks passed.` : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Prints one line for a passing check, and the whole output of a failing one. */
function passes(name) {
  const begun = Date.now();
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", name], { encoding: "utf8" });
  const verdict = status === 0 ? "passed" : "FAILED";
  if (status !== 0) process.stdout.write(`${stdout}${stderr}`);
  console.log(`${verdict} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  return status === 0;
}
