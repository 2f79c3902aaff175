// Runs every check of the project, even if some fail, and reports which did.
import { readFileSync } from "node:fs";
import { failedSteps } from "./run-steps.js";

const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));
const failed = failedSteps(checks.map((name) => ({ name, command: ["npm", "run", "--silent", name] })));
console.log(failed.length === 0 ? `All ${checks.length} checks passed.` : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
