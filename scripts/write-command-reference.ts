import type { Command, CommandEntry, CommandGroup, Flag } from "../src/cli/terminal/command.ts";
import { EXIT_CODES } from "../src/cli/terminal/cli-error.ts";
import { cell, code } from "./markdown.ts";

type Described = Command | CommandGroup;

/** An option shared by at least this many commands is described once for all of them. */
const MANY = 5;

/** Writes the reference page of all `kredo` commands, in the order of `kredo --help`. */
export async function writeCommandReference(entries: readonly CommandEntry[]): Promise<string> {
  const loaded = await Promise.all(entries.map(async ({ load, group }) => ({ group, command: await load() })));
  const common = findCommon(loaded.flatMap(({ command }) => single(command)));
  const groups = [...new Set(loaded.map(({ group }) => group))].flatMap((group) => [
    `## ${group.replace(/:$/, "")}`,
    ...loaded.filter((entry) => entry.group === group).flatMap(({ command }) => describe(command, common)),
    "",
  ]);
  return [...HEAD, ...groups, "## Common options", "", ...COMMON, ...listFlags([...common.values()]), ""].join("\n");
}

const HEAD = [
  "# Commands",
  "",
  "This page is generated: `npx kredo COMMAND --help` prints the same. A flag overrides its environment variable, and a variable overrides the",
  `config file. ${EXIT_CODES}`,
  "",
];

const COMMON = ["Commands that use a running sandbox have these options to select the sandbox and the account:"];

function single(command: Described): readonly Command[] {
  return "commands" in command ? command.commands : [command];
}

/** Returns the common options, by their text. */
function findCommon(commands: readonly Command[]): ReadonlyMap<string, Flag> {
  const rows = commands.flatMap(({ flags }) => flags.map((flag) => [row(flag), flag] as const));
  return new Map(rows.filter(([text]) => rows.filter(([other]) => other === text).length >= MANY));
}

function describe(described: Described, common: ReadonlyMap<string, Flag>, before = "kredo"): string[] {
  const { name, about } = described;
  const title = `${before} ${name}`;
  const head = ["", `### ${title}`, "", cell(about)];
  if ("commands" in described)
    return [...head, ...described.commands.flatMap((command) => describe(command, common, title))];
  const own = described.flags.filter((flag) => !common.has(row(flag)));
  const more = own.length === described.flags.length ? "" : " · [common options](#common-options)";
  return [
    ...head,
    "",
    `Usage: ${code(usageOf(described, title))}${more}`,
    ...listFlags(own),
    ...listExamples(described.examples),
  ];
}

function usageOf({ usage, arguments: given = [] }: Command, title: string): string {
  return `${title} ${usage ?? ["[options]", ...given].join(" ")}`;
}

function listFlags(flags: readonly Flag[]): string[] {
  if (flags.length === 0) return [];
  const groups = [...new Set(flags.map(({ group }) => group))];
  const rows = groups.flatMap((group) => [
    ...(group === undefined ? [] : [`| **${group.replace(/:$/, "")}** | |`]),
    ...flags.filter((flag) => flag.group === group).map(row),
  ]);
  return ["", "| option | meaning |", "|---|---|", ...rows];
}

function row({ name, value, about, choices, variables = [], isRepeatable = false }: Flag): string {
  const notes = [
    ...(choices === undefined ? [] : [`one of ${choices.join(", ")}`]),
    ...(isRepeatable && !about.includes("repeatable") ? ["repeatable"] : []),
    ...(variables.length === 0 ? [] : [`env: ${variables.map(code).join(", ")}`]),
  ];
  const meaning = notes.length === 0 ? about : `${about} (${notes.join("; ")})`;
  return `| ${cell(code(value === undefined ? `--${name}` : `--${name} ${value}`))} | ${cell(meaning)} |`;
}

function listExamples(examples: readonly string[]): string[] {
  return examples.length === 0 ? [] : ["", `Examples: ${examples.map(code).join(" · ")}`];
}
