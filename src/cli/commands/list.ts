import { describeScenario } from "../../scenario/describe.ts";
import { shippedScenarios } from "../../sandbox/shipped-scenarios.ts";
import type { Command } from "../command.ts";
import { findRehearsal, type FoundRehearsal, shippedRehearsals } from "../rehearsal-files.ts";
import { JSON_FLAG } from "../target.ts";
import { printLines } from "../terminal.ts";
import { formatTable } from "../output.ts";

export const list: Command = {
  name: "list",
  about:
    "List the shipped scenarios and rehearsals. Run a scenario with kredo serve --scenario NAME, a rehearsal with kredo rehearse NAME.",
  flags: [{ ...JSON_FLAG, about: "print JSON" }],
  examples: ["kredo list", "kredo list --json"],
  docs: "docs/scenarios.md",
  async run({ flags }, { stdout, files }) {
    const scenarios = shippedScenarios.names().flatMap((name) => {
      const scenario = shippedScenarios.find(name);
      return scenario === undefined ? [] : [[name, describeScenario(scenario)] as const];
    });
    const rehearsals = shippedRehearsals().map(
      (name) => [name, describeRehearsal(findRehearsal(name, files))] as const,
    );
    printLines(
      stdout,
      flags.has("json")
        ? [JSON.stringify({ scenarios: toObjects(scenarios), rehearsals: toObjects(rehearsals) })]
        : ["scenarios:", ...formatTable(scenarios), "", "rehearsals:", ...formatTable(rehearsals)],
    );
    return 0;
  },
};

function toObjects(
  rows: readonly (readonly [name: string, description: string])[],
): { name: string; description: string }[] {
  return rows.map(([name, description]) => ({ name, description }));
}

/** Shipped rehearsals have no mistakes; a test guarantees that. */
function describeRehearsal(found: FoundRehearsal): string {
  return "rehearsal" in found ? (found.rehearsal.description ?? "") : found.problems.join("; ");
}
