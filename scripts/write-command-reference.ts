import type { Command, CommandEntry, CommandGroup, Flag } from "../src/cli/terminal/command.ts";
import { EXIT_CODES } from "../src/cli/terminal/cli-error.ts";
import { anchor, cell, code } from "./markdown.ts";

type Described = Command | CommandGroup;

/** An option shared by at least this many commands is described once for all of them. */
const MANY = 5;

/** The commands whose options are described so far, by the text of each option. */
type Told = Map<string, string>;

/** Writes the reference page of all `kredo` commands, in the order of `kredo --help`. */
export async function writeCommandReference(entries: readonly CommandEntry[]): Promise<string> {
  const loaded = await Promise.all(entries.map(async ({ load, group }) => ({ group, command: await load() })));
  const common = findCommon(loaded.flatMap(({ command }) => single(command)));
  const told: Told = new Map([...common.keys()].map((text) => [text, COMMON_TITLE]));
  const groups = [...new Set(loaded.map(({ group }) => group))].flatMap((group) => [
    `## ${group.replace(/:$/, "")}`,
    ...loaded.filter((entry) => entry.group === group).flatMap(({ command }) => describe(command, told)),
    "",
  ]);
  return [...HEAD, ...groups, `## ${COMMON_TITLE}`, "", ...COMMON, ...listFlags([...common.values()]), ""].join("\n");
}

const HEAD = [
  "# Commands",
  "",
  "This page is generated: `npx kredo COMMAND --help` prints the same, with more examples. A flag overrides its environment variable, and a",
  `variable overrides the config file; a variable stands in brackets. ${EXIT_CODES}`,
  "",
];

const COMMON_TITLE = "Common options";

const COMMON = [
  "`[options]` includes these where a command uses a running sandbox, and `--json` where it prints what it found:",
];

function single(command: Described): readonly Command[] {
  return "commands" in command ? command.commands : [command];
}

/** Returns the common options, by their text. */
function findCommon(commands: readonly Command[]): ReadonlyMap<string, Flag> {
  const rows = commands.flatMap(({ flags }) => flags.map((flag) => [row(flag), flag] as const));
  return new Map(rows.filter(([text]) => rows.filter(([other]) => other === text).length >= MANY));
}

function describe(described: Described, told: Told, before = "kredo"): string[] {
  const { name, about } = described;
  const title = `${before} ${name}`;
  const head = ["", `### ${title}`, "", cell(about)];
  if ("commands" in described)
    return [...head, ...described.commands.flatMap((command) => describe(command, told, title))];
  const { own, shared } = splitFlags(described.flags, told);
  const usage = usageOf(described, title);
  for (const text of own.map(row)) told.set(text, told.get(text) ?? title);
  shared.delete(COMMON_TITLE);
  return [
    ...head,
    ...(usage === `${title} [options]` ? [] : ["", code(usage)]),
    ...(own.length === 0 ? [] : ["", ...own.map(row)]),
    ...[...shared].flatMap(([earlier, flags]) => [
      "",
      `As for [${earlier}](#${anchor(earlier)}): ${flags.map((flag) => code(`--${flag.name}`)).join(", ")}`,
    ]),
    // What the usage does not show.
    ...described.examples
      .filter((example) => /--|["|<>&]|\.\//.test(example))
      .slice(-1)
      .flatMap((example) => ["", `Example: ${code(example)}`]),
  ];
}

/** Splits a command's options into its own and, by their section, those that an earlier one describes. */
function splitFlags(flags: readonly Flag[], told: Told): { own: Flag[]; shared: Map<string, Flag[]> } {
  const sections = new Set(flags.flatMap((flag) => told.get(row(flag)) ?? []));
  const shared = new Map<string, Flag[]>();
  for (const section of sections) {
    const there = flags.filter((flag) => told.get(row(flag)) === section);
    shared.set(section, there);
  }
  const elsewhere = [...shared.values()].flat();
  return { own: flags.filter((flag) => !elsewhere.includes(flag)), shared };
}

function usageOf({ usage, arguments: given = [] }: Command, title: string): string {
  return `${title} ${usage ?? ["[options]", ...given].join(" ")}`;
}

function listFlags(flags: readonly Flag[]): string[] {
  const groups = [...new Set(flags.map(({ group }) => group))];
  return groups.flatMap((group) => [
    ...(group === undefined ? [] : ["", group]),
    "",
    ...flags.filter((flag) => flag.group === group).map(row),
  ]);
}

function row({ name, value, about, choices, variables = [], isRepeatable = false }: Flag): string {
  const notes = [
    ...(choices === undefined ? [] : [`one of ${choices.join(", ")}`]),
    ...(isRepeatable && !about.includes("repeatable") ? ["repeatable"] : []),
    ...variables.map(code),
  ];
  const meaning = notes.length === 0 ? about : `${about} (${notes.join("; ")})`;
  return `- ${code(value === undefined ? `--${name}` : `--${name} ${value}`)}: ${cell(meaning)}`;
}
