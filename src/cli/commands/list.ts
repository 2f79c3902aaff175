import { shippedScenarios } from "../../sandbox/shipped-scenarios.ts";
import { describeScenario } from "../../scenario/describe.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../output.ts";
import { findRehearsal, shippedRehearsals } from "../rehearsal-files.ts";
import { JSON_FLAG } from "../target.ts";
import { printLines } from "../terminal.ts";

export const command: Command = {
  name: "list",
  about:
    "List the shipped scenarios and rehearsals. Run a scenario with kredo serve --scenario NAME, a rehearsal with kredo rehearse NAME.",
  flags: [JSON_FLAG],
  examples: ["kredo list", "kredo list --json"],
  docs: "scenarios",
  async run({ flags }, { stdout, files }) {
    const scenarios = shippedScenarios.names().flatMap((name) => {
      const scenario = shippedScenarios.find(name);
      return scenario === undefined ? [] : [{ name, description: describeScenario(scenario) }];
    });
    // Shipped rehearsals have no mistakes; a test guarantees that.
    const rehearsals = shippedRehearsals().map((name) => {
      const found = findRehearsal(name, files);
      return { name, description: "rehearsal" in found ? (found.rehearsal.description ?? "") : "" };
    });
    const table = (rows: typeof scenarios): string[] =>
      formatTable(rows.map(({ name, description }) => [name, description]));
    printLines(
      stdout,
      flags.has("json")
        ? [JSON.stringify({ scenarios, rehearsals })]
        : ["scenarios:", ...table(scenarios), "", "rehearsals:", ...table(rehearsals)],
    );
    return 0;
  },
};
