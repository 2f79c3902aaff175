import { expect, test } from "vitest";
import { findRehearsal } from "../../../src/cli/rehearsal/rehearsal-files.ts";
import { rehearsalNames } from "../../support/rehearsed.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";
import { openShippedScenarios } from "../../../src/gateway/adapters/files/shipped-scenarios.ts";

test("lists every shipped scenario and rehearsal with its story in one line", async () => {
  const { exitCode, printed } = await kredo(["list"]);
  const [scenarios = [], rehearsals = []] = printed
    .trimEnd()
    .split("\n\n")
    .map((block) => block.split("\n"));

  expect(exitCode).toBe(0);
  expect(scenarios[0]).toMatch(/^ {2}SCENARIO +DESCRIPTION$/);
  expect(rehearsals[0]).toMatch(/^ {2}REHEARSAL +DESCRIPTION$/);
  expect(namesIn(scenarios)).toEqual((await openShippedScenarios()).names());
  expect(namesIn(rehearsals)).toEqual(rehearsalNames());
  expect(
    [...scenarios.slice(1), ...rehearsals.slice(1)].filter((line) => !/^ {2}[a-z0-9-]+ {2,}\S.*\S$/.test(line)),
  ).toEqual([]);
});

function namesIn([, ...lines]: readonly string[]): (string | undefined)[] {
  return lines.map((line) => line.trim().split(" ")[0]);
}

test.each([80, 200])("fits a terminal of %i columns", async (columns) => {
  const { printed } = await kredo(["list"], { isTTY: true, columns });

  const lines = printed.split("\n");
  expect(lines.filter((line) => line.length > columns)).toEqual([]);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}magic-numbers +\w/));
});

test("--json lists the same", async () => {
  const { exitCode, printed } = await kredo(["list", "--json"]);

  expect(exitCode).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({
    scenarios: expect.arrayContaining([{ name: "magic-numbers", description: expect.any(String) }]),
    rehearsals: expect.arrayContaining([{ name: "flaky-gateway", description: expect.any(String) }]),
  });
});

test("a shipped rehearsal is called in reports as it is written on the command line", async () => {
  const found = await findRehearsal("flaky-gateway", fakeTerminal().files);

  expect(found).toMatchObject({ file: "flaky-gateway" });
});
