import { describeScenario } from "../scenario/describe.ts";
import { shippedScenarios } from "../simulator-scenarios.ts";
import type { ExitCode } from "./halt.ts";
import { formatTable } from "./help.ts";
import { findRehearsal, type FoundRehearsal, shippedRehearsals } from "./rehearsal-files.ts";
import { expectWords } from "./read-said.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "list";

export const list: Verb = {
  usage: [USAGE],
  about: [
    "Prints the shipped scenarios and rehearsals, one line each. kredo serve --scenario NAME runs with a scenario,",
    "kredo rehearse NAME rehearses.",
  ].join("\n"),
  flags: [],
  run: listShipped,
};

async function listShipped({ words }: Said, { stdout, files }: Terminal): Promise<ExitCode> {
  expectWords(words, [], USAGE);
  const scenarios = shippedScenarios.names().flatMap((name) => {
    const scenario = shippedScenarios.find(name);
    return scenario === undefined ? [] : [[name, describeScenario(scenario)] as const];
  });
  const rehearsals = shippedRehearsals().map((name) => [name, describeRehearsal(findRehearsal(name, files))] as const);
  printLines(stdout, ["scenarios:", ...formatTable(scenarios), "", "rehearsals:", ...formatTable(rehearsals)]);
  return 0;
}

/** A shipped one is never wrong; a test holds it to that. */
function describeRehearsal(found: FoundRehearsal): string {
  return "rehearsal" in found ? (found.rehearsal.description ?? "") : found.problems.join("; ");
}
