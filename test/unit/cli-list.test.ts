import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { shippedScenarios } from "../../src/simulator-scenarios.ts";
import { fakeTerminal } from "../support/terminal.ts";

test("lists every shipped scenario with its story in one line", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["list"], terminal);
  const [title, ...lines] = terminal.printed().trimEnd().split("\n");

  expect(exitCode).toBe(0);
  expect(title).toBe("scenarios:");
  expect(lines.map((line) => line.trim().split(" ")[0])).toEqual(shippedScenarios.names());
  expect(lines.filter((line) => !/^ {2}[a-z0-9-]+ {2,}\S.*\S$/.test(line))).toEqual([]);
});
