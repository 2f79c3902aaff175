import { summaryOf } from "../../control/shipped-scenarios.ts";
import { openShippedScenarios } from "../../gateway/adapters/files/shipped-scenarios.ts";
import type { Command } from "../terminal/command.ts";
import { formatTable } from "../terminal/output.ts";
import { findRehearsal, shippedRehearsals } from "../rehearsal/rehearsal-files.ts";
import { JSON_FLAG } from "../client/target.ts";
import { printLines } from "../terminal/terminal.ts";

export const command: Command = {
  name: "list",
  about:
    "List the shipped scenarios and rehearsals. Run a scenario with kredo serve --scenario NAME, a rehearsal with kredo rehearse NAME.",
  flags: [JSON_FLAG],
  examples: ["kredo list", "kredo list --json"],
  docs: "scenarios",
  async run({ flags }, terminal) {
    const shipped = await openShippedScenarios();
    const scenarios = shipped.names().flatMap((name) => summaryOf(name, shipped) ?? []);
    // Shipped rehearsals have no mistakes; a test guarantees that.
    const described = shippedRehearsals().map(async (name) => {
      const found = await findRehearsal(name, terminal.files);
      return { name, description: "rehearsal" in found ? (found.rehearsal.description ?? "") : "" };
    });
    const rehearsals = await Promise.all(described);
    const table = (heading: string, rows: typeof scenarios): string[] => {
      const cells = rows.map(({ name, description }) => [name, description]);
      return formatTable([heading, "DESCRIPTION"], cells, terminal);
    };
    const lines = [...table("SCENARIO", scenarios), "", ...table("REHEARSAL", rehearsals)];
    printLines(terminal.stdout, flags.has("json") ? [JSON.stringify({ scenarios, rehearsals })] : lines);
    return 0;
  },
};
