import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../../", import.meta.url);
const { jobs } = parse(readFileSync(new URL(".github/workflows/test.yml", ROOT), "utf8"));
const run = readFileSync(new URL(".ci/run", ROOT), "utf8");

test("GitHub runs each suite of .ci/run in a job", () => {
  const listed = execFileSync("node", [".ci/tally.js", "scripts"], { cwd: fileURLToPath(ROOT), encoding: "utf8" });
  const suites: string[] = [...jobs.suite.strategy.matrix.suite, "test:container"];

  expect(suites.toSorted()).toEqual(["check", ...listed.trim().split("\n")].toSorted());
  expect(jobs.suite.steps.at(-1).run).toBe(".ci/run ${{ matrix.suite }}");
  expect(jobs.container.steps.slice(-2)).toEqual([
    { run: ".ci/run test:container" },
    { run: "npm run testcontainers" },
  ]);
});

test("GitHub runs the tests on the Node versions of .ci/run", () => {
  const majors = [...run.matchAll(/\bnode-(\d+)\b/g)].map(([, major]) => Number(major));

  expect(jobs.test.strategy.matrix.node).toEqual(majors.toSorted((one, other) => one - other));
});
