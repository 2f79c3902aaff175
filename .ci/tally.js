// Counts tests for .ci/run:
//   tally.js scripts        the test scripts other than `npm test`, one per line
//   tally.js report FILE    "PASSED FAILED" from a vitest JSON report; a file that failed to load counts as one failure
//   tally.js text FILE      the same from vitest's printed output
import { readFileSync } from "node:fs";

const [what, file] = process.argv.slice(2);
const readings = { scripts: testScripts, report: countReport, text: countText };
console.log(readings[what](file));

function testScripts() {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return Object.keys(scripts)
    .filter((name) => name.startsWith("test:"))
    .join("\n");
}

function countReport(path) {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(path);
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return `${numPassedTests} ${numFailedTests + unloaded.length}`;
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

function countText(path) {
  const summary = /^\s*Tests\s.*$/m.exec(readFileSync(path, "utf8"))?.[0] ?? "";
  const counted = (word) => new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0;
  return `${counted("passed")} ${counted("failed")}`;
}
