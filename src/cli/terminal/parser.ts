import { type Command as Parser, type CommanderError, Option } from "commander";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { CliError } from "./cli-error.ts";
import type { Command, CommandGroup, Flag, ParsedArgs } from "./command.ts";

export type Run = (command: Command, args: ParsedArgs) => Promise<void>;

/** Adds the arguments, options and help of a command to a parser. */
export function describeCommand(parser: Parser, described: Command | CommandGroup, run: Run): void {
  parser.description(described.about).addHelpText("after", helpEnd(described));
  failWith(parser);
  if ("commands" in described) {
    parser.helpCommand(false);
    for (const command of described.commands)
      describeCommand(parser.command(command.name).summary(command.about), command, run);
    return;
  }
  for (const argument of described.arguments ?? []) parser.argument(argument);
  for (const flag of described.flags) parser.addOption(optionFor(flag));
  if (described.usage !== undefined) parser.usage(described.usage);
  if (described.runsCommand === true) {
    parser.parent?.enablePositionalOptions();
    parser.passThroughOptions();
  }
  parser.allowExcessArguments(false).action(() => run(described, parsedArgs(parser)));
}

function helpEnd(described: Command | CommandGroup): string {
  const commands = "commands" in described ? described.commands : [described];
  const examples = commands.flatMap((command) => command.examples.map((example) => `  ${example}`));
  return ["", "Examples:", ...examples, "", `Documentation: kredo docs ${commands[0]?.docs ?? "quick-start"}`].join(
    "\n",
  );
}

function optionFor({ name, value, about, variables = [], choices, isRepeatable = false, group }: Flag): Option {
  const described = variables.length === 0 ? about : `${about} (env: ${variables.join(", ")})`;
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, described);
  if (group !== undefined) option.helpGroup(group);
  if (choices !== undefined) return option.choices([...choices]);
  if (value === undefined) return option;
  return option.argParser<string | readonly string[] | undefined>((text, earlier) => {
    // Commander accepts the next flag as a value.
    if (text === "" || text.startsWith("--"))
      throw new CliError(2, `--${name} needs a value; write --${name} ${value}`);
    return isRepeatable ? [...(typeof earlier === "object" ? earlier : []), text] : text;
  });
}

function parsedArgs(parser: Parser): ParsedArgs {
  const given = parser.options.flatMap((option) => {
    const key = option.attributeName();
    const value: unknown = parser.getOptionValue(key);
    return parser.getOptionValueSource(key) === "cli" ? [{ name: option.name(), value }] : [];
  });
  return {
    words: parser.args,
    flags: new Map(given.map(({ name, value }) => [name, typeof value === "string" ? value : ""])),
    repeated: new Map(given.flatMap(({ name, value }) => (Array.isArray(value) ? [[name, value.map(String)]] : []))),
  };
}

/** Converts commander's errors to ours: where, what, and how to repair it. */
export function failWith(parser: Parser): void {
  parser.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    throw new CliError(2, explainUsage(error, parser));
  });
}

/** Commander names the problem and often a suggestion: "error: unknown option '--jsn'\n(Did you mean --json?)". */
function explainUsage({ code, message }: CommanderError, parser: Parser): string {
  const name = nameOf(parser);
  const [problem = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const said = suggestion?.replace(/^\(D(.*)\)$/, "d$1");
  switch (code) {
    case "commander.help":
      return `${name}: a command is missing; write ${parser.commands.map((command) => `${name} ${command.name()}`).join(" or ")}`;
    case "commander.unknownCommand":
      return `${name}: ${problem}; ${said ?? `${name} --help lists the commands`}`;
    case "commander.unknownOption":
      return `${name}: ${explainSwitch(problem, parser) ?? `${problem}; ${said ?? `${name} --help lists the options`}`}`;
    case "commander.optionMissingArgument":
      return problem.replace(/^option '(\S+) <(.+)>' argument missing$/, "$1 needs a value; write $1 $2");
    case "commander.invalidArgument":
      return problem.replace(CHOICE, '$1: "$2" is not known here; write one of $3');
    case "commander.missingArgument":
      return `${name}: ${problem}; write ${callOf(parser)}`;
    case "commander.excessArguments":
      return `${name}: ${explainExcess(parser)}`;
    default:
      return `${name}: ${problem}`;
  }
}

/** What commander says of a value that is not one of an option's choices. */
const CHOICE = /^option '(\S+) <.+>' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/;

function explainExcess(parser: Parser): string {
  const first = parser.args[parser.registeredArguments.length] ?? "";
  const isText = parser.registeredArguments.some((argument) => argument.name() === "TEXT");
  return `too many arguments, from ${quoteText(first)} on; write ${callOf(parser)}${isText ? ", with quotes around TEXT" : ""}`;
}

/** Commander reports a switch with a value as an unknown option. */
function explainSwitch(problem: string, parser: Parser): string | undefined {
  const name = /^unknown option '(--[\w-]+)=/.exec(problem)?.[1];
  return parser.options.some(({ long }) => long === name) ? `${name} takes no value; write ${name} alone` : undefined;
}

/** Returns the command line without options. */
function callOf(parser: Parser): string {
  const words = parser.usage().split(" ");
  return [nameOf(parser), ...words.filter((word) => word !== "[options]")].join(" ").replaceAll(/[<>]/g, "");
}

function nameOf(parser: Parser): string {
  return parser.parent === null ? parser.name() : `${nameOf(parser.parent)} ${parser.name()}`;
}
