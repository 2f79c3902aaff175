import { describeScenario } from "../scenario/describe.ts";
import { shippedScenarios } from "../simulator-scenarios.ts";
import type { ExitCode } from "./halt.ts";
import { formatTable } from "./help.ts";
import { expectWords } from "./read-said.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "list";

export const list: Verb = {
  usage: [USAGE],
  about: "Prints the shipped scenarios, one line each. kredo serve --scenario NAME runs with one.",
  flags: [],
  run: listScenarios,
};

async function listScenarios({ words }: Said, { stdout }: Terminal): Promise<ExitCode> {
  expectWords(words, [], USAGE);
  const rows = shippedScenarios.names().flatMap((name) => {
    const scenario = shippedScenarios.find(name);
    return scenario === undefined ? [] : [[name, describeScenario(scenario)] as const];
  });
  printLines(stdout, ["scenarios:", ...formatTable(rows)]);
  return 0;
}
