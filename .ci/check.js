// Runs every check of the project, however many fail, and says which did.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));
const failed = checks.filter((name) => !passes(name));
console.log(failed.length === 0 ? `All ${checks.length} checks passed.` : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** A passing check is one line; a failing one shows all that it printed. */
function passes(name) {
  const begun = Date.now();
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", name], { encoding: "utf8" });
  const verdict = status === 0 ? "passed" : "FAILED";
  if (status !== 0) process.stdout.write(`${stdout}${stderr}`);
  console.log(`${verdict} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  return status === 0;
}
