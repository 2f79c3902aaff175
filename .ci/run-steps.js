import { spawnSync } from "node:child_process";

/**
 * Runs each step, even after one has failed, and returns the names of those that did. Prints one line for a passing step, and the whole
 * output of a failing one.
 */
export function failedSteps(steps) {
  return steps.filter((step) => !passes(step)).map(({ name }) => name);
}

function passes({ name, command: [program, ...words] }) {
  const begun = Date.now();
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const verdict = status === 0 ? "passed" : "FAILED";
  if (status !== 0)
    process.stdout.write(`${stdout ?? ""}${stderr ?? ""}${error === undefined ? "" : `${error.message}\n`}`);
  console.log(`${verdict} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  return status === 0;
}
