import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { openShippedScenarios } from "../../src/sandbox/shipped-scenarios.ts";
import { rehearsalNames } from "../support/rehearsed.ts";
import { fakeTerminal } from "../support/terminal.ts";

test("lists every shipped scenario and rehearsal with its story in one line", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["list"], terminal);
  const [scenarios = [], rehearsals = []] = terminal
    .printed()
    .trimEnd()
    .split("\n\n")
    .map((block) => block.split("\n"));

  expect(exitCode).toBe(0);
  expect([scenarios[0], rehearsals[0]]).toEqual(["scenarios:", "rehearsals:"]);
  expect(namesIn(scenarios)).toEqual((await openShippedScenarios()).names());
  expect(namesIn(rehearsals)).toEqual(rehearsalNames());
  expect(
    [...scenarios.slice(1), ...rehearsals.slice(1)].filter((line) => !/^ {2}[a-z0-9-]+ {2,}\S.*\S$/.test(line)),
  ).toEqual([]);
});

function namesIn([, ...lines]: readonly string[]): (string | undefined)[] {
  return lines.map((line) => line.trim().split(" ")[0]);
}

test("--json lists the same", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["list", "--json"], terminal);

  expect(exitCode).toBe(0);
  expect(JSON.parse(terminal.printed())).toMatchObject({
    scenarios: expect.arrayContaining([{ name: "magic-numbers", description: expect.any(String) }]),
    rehearsals: expect.arrayContaining([{ name: "lost-acknowledgment", description: expect.any(String) }]),
  });
});
