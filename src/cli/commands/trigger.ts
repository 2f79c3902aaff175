import { closestWord } from "../../gateway/document/closest-word.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { type Fault, FAULT_GROUPS, FAULTS, findFault, writeFault } from "../../verdict/faults.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import { controlCommand } from "../client/client.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { formatTable } from "../terminal/output.ts";
import { printLines } from "../terminal/terminal.ts";

const startFault = controlCommand({
  name: "trigger",
  about: [
    "Arm a fault for the next airtime or SMS request: a refusal, a broken connection, a result or a callback gone wrong.",
    "This starts a scenario with one rule, tried before all active ones; the output says how to stop it. kredo trigger --list shows the faults.",
  ].join(" "),
  arguments: ["[FAULT]"],
  flags: [
    { name: "list", about: "list the faults" },
    { name: "to", value: "PHONE", about: "only the next request to this number; * stands for any digits" },
  ],
  examples: ["kredo trigger callback-twice", "kredo trigger refused-429 --to 254712345678"],
  docs: "failures",
  field: "rules",
  request: (args) => ({ method: "POST", path: "scenarios?place=first", body: readWanted(args).scenario }),
  describe(_, args) {
    const { fault, to, scenario } = readWanted(args);
    const done = "then" in fault ? `Armed for the next request${to === undefined ? "" : ` to ${to}`}` : "Done";
    return [`${done}: ${fault.words}. Undo it with kredo scenario stop ${scenario.name}.`];
  },
});

export const command: Command = {
  ...startFault,
  async run(args, terminal) {
    if (!args.flags.has("list")) return startFault.run(args, terminal);
    const rows = FAULT_GROUPS.flatMap((group) => FAULTS.filter((fault) => fault.group === group));
    const faults = FAULTS.map(({ id, group, words }) => ({ id, group, description: words }));
    const cells = rows.map(({ id, group, words }) => [group, id, words]);
    const table = formatTable(["GROUP", "FAULT", "DESCRIPTION"], cells, terminal);
    printLines(terminal.stdout, args.flags.has("json") ? [JSON.stringify({ faults })] : table);
    return 0;
  },
};

interface Wanted {
  readonly fault: Fault;
  readonly to: string | undefined;
  readonly scenario: Scenario;
}

function readWanted({ words: [id], flags }: ParsedArgs): Wanted {
  if (id === undefined) throw new CliError(2, "kredo trigger: a fault is missing; kredo trigger --list shows them");
  const fault = readFault(id, "FAULT");
  const to = flags.get("to");
  if (to === undefined || "then" in fault)
    return { fault, to, scenario: writeFault(fault, { phone_number: to, first: 1 }) };
  throw new CliError(2, `--to: ${id} affects the whole account at once; omit the flag`);
}

/** Returns the fault with this id. Throws a CliError if there is none. */
export function readFault(id: string, place: string): Fault {
  const fault = findFault(id);
  if (fault !== undefined) return fault;
  const meant = closestWord(
    id,
    FAULTS.map((known) => known.id),
  );
  const repair = meant === undefined ? "kredo trigger --list shows the faults" : `did you mean ${meant}?`;
  throw invalidInput(place, { problem: `${quoteText(id)} is not a fault`, repair });
}
