// Runs in a few minutes what most often breaks, even if some of it fails, and reports what did. A tool that is missing is a failure.
import { failedSteps } from "./run-steps.js";

const npm = (script) => ["npm", "run", "--silent", script];
const vitest = (...words) => ["npx", "vitest", "run", "--reporter=dot", ...words];

const STEPS = [
  { name: "types", command: npm("check:types") },
  { name: "lint", command: npm("check:lint") },
  { name: "format", command: npm("check:format") },
  { name: "unused code", command: npm("check:unused") },
  { name: "build", command: ["node", "scripts/build.js", "--if-changed"] },
  // Import directions, generated files, links and sizes of the docs are tests of the project room. The trials of verdict take minutes.
  { name: "unit and http tests", command: vitest("/unit/", "/http/", "--exclude=test/verdict/http/**") },
  { name: "tools of the browser tests", command: ["node", "test/dashboard/require-chromium.js"] },
  { name: "a browser file for each view", command: vitest("--config=test/dashboard/vitest.config.ts", ...views()) },
  { name: "one kind of backend", command: vitest("--config=test/backends/vitest.config.ts", "words.test.ts") },
];

/** The test files of the views in src/dashboard/base/route.ts. */
function views() {
  return ["requests", "failures", "verdict", "account"].map((view) => `${view}.test.ts`);
}

const failed = failedSteps(STEPS);
console.log(failed.length === 0 ? "Everything passed." : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
