import type { ActiveScenarios } from "../../control-client/shapes.ts";
import { FAULT_GROUPS, FAULTS, type Fault, writeFault } from "../../scenario/faults.ts";
import { controlCommand } from "../control-command.ts";
import { CliError } from "../cli-error.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { numberFlag, readFault } from "../flag-values.ts";
import { count, formatTable } from "../output.ts";
import { printLines } from "../terminal.ts";

const arm = controlCommand<ActiveScenarios>({
  name: "trigger",
  about: [
    "Arm a fault for the next airtime or SMS request: a refusal, a broken connection, a result or a callback gone wrong.",
    "This starts a scenario with one rule, tried before all active ones; kredo scenario stop FAULT removes it. kredo trigger --list shows the faults.",
  ].join(" "),
  arguments: ["[FAULT]"],
  flags: [
    { name: "list", about: "list the faults" },
    { name: "to", value: "PHONE", about: "only requests to this number; * stands for any digits" },
    { name: "times", value: "N", about: "how many requests it happens to (default: 1)" },
  ],
  examples: ["kredo trigger callback-twice", "kredo trigger refused-429 --to 254712345678 --times 3"],
  docs: "docs/failures.md",
  field: "items",
  request: (args) => ({ method: "POST", path: "scenarios?place=first", body: writeFault(faultOf(args), whenOf(args)) }),
  describe(_, args) {
    const fault = faultOf(args);
    return [
      `${"then" in fault ? `Armed for ${targetOf(args)}` : "Done"}: ${fault.words}. Undo it with kredo scenario stop ${fault.id}.`,
    ];
  },
});

export const trigger: Command = {
  ...arm,
  async run(args, terminal) {
    if (!args.flags.has("list")) return arm.run(args, terminal);
    const rows = FAULTS.map(({ id, group, words }) => ({ id, group, description: words }));
    printLines(terminal.stdout, args.flags.has("json") ? [JSON.stringify({ faults: rows })] : listFaults());
    return 0;
  },
};

function listFaults(): string[] {
  const width = Math.max(...FAULTS.map(({ id }) => id.length));
  return FAULT_GROUPS.flatMap((group) => [
    `${group}:`,
    ...formatTable(FAULTS.filter((fault) => fault.group === group).map(({ id, words }) => [id.padEnd(width), words])),
  ]);
}

function faultOf({ words: [id] }: ParsedArgs): Fault {
  if (id === undefined) throw new CliError(2, "kredo trigger: a fault is missing; kredo trigger --list shows them");
  return readFault(id, "FAULT");
}

function whenOf(args: ParsedArgs): Record<string, unknown> {
  const to = args.flags.get("to");
  const chosen = ["to", "times"].find((flag) => args.flags.has(flag));
  if (chosen !== undefined && !("then" in faultOf(args)))
    throw new CliError(2, `--${chosen}: ${args.words[0]} affects the whole account at once; omit the flag`);
  return {
    ...(to !== undefined && { phone_number: to }),
    first: numberFlag(args, "times", { min: 1, max: 1_000_000, otherwise: 1 }),
  };
}

function targetOf(args: ParsedArgs): string {
  const times = numberFlag(args, "times", { min: 1, max: 1_000_000, otherwise: 1 });
  const to = args.flags.get("to");
  return `the next ${times === 1 ? "request" : count(times, "request")}${to === undefined ? "" : ` to ${to}`}`;
}
