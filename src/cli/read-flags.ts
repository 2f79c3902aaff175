import { parseArgs } from "node:util";
import { closestWord } from "../document/closest-word.ts";
import { formatMistake } from "../document/problem.ts";
import { quote } from "../document/describe-value.ts";
import { CONFIG_FLAG, DATA_FLAG, EXPORT_FLAG, IMPORT_FLAG, SCENARIO_FLAG, SERVE_SETTINGS, WATCH_FLAG } from "./serve-flags.ts";

export interface Flags {
  /** The text after each flag that is right; empty for one that takes none. */
  readonly given: ReadonlyMap<string, string>;
  /** In the order in which they were given. */
  readonly scenarios: readonly string[];
  readonly problems: readonly string[];
}

const SWITCHES = [...SERVE_SETTINGS.filter(({ kind }) => kind === "off" || kind === "on").flatMap(({ flag }) => flag ?? []), WATCH_FLAG];
const VALUED = [
  CONFIG_FLAG,
  SCENARIO_FLAG,
  ...SERVE_SETTINGS.filter(({ kind }) => kind !== "off" && kind !== "on").flatMap(({ flag }) => flag ?? []),
  DATA_FLAG,
  IMPORT_FLAG,
  EXPORT_FLAG,
];

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type FlagToken = Extract<Token, { kind: "option" }>;

/** Reads the flags of `serve`; a flag given twice counts as it was given last, but for scenarios, which add up. All mistakes come at once. */
export function readFlags(argv: readonly string[]): Flags {
  const options = Object.fromEntries([
    ...VALUED.map((name) => [name, { type: "string" }] as const),
    ...SWITCHES.map((name) => [name, { type: "boolean" }] as const),
  ]);
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const flags = tokens.filter((token) => token.kind === "option");
  const explained = flags.map((token) => ({ ...token, problem: explainFlag(token) }));
  const wrong = explained.flatMap(({ problem }) => problem ?? []);
  // The value of a flag that is not known, or a value in place of a flag: only worth a word where it is the only mistake.
  const strays = wrong.length > 0 ? [] : tokens.flatMap((token) => (token.kind === "positional" ? explainStray(token.value) : []));
  const right = explained.filter(({ problem }) => problem === undefined);
  return {
    given: new Map(right.map(({ name, value }) => [name, value ?? ""])),
    scenarios: right.flatMap(({ name, value }) => (name === SCENARIO_FLAG && value !== undefined ? [value] : [])),
    problems: [...wrong, ...strays],
  };
}

function explainFlag(token: FlagToken): string | undefined {
  const { name, rawName, value } = token;
  if (SWITCHES.includes(name))
    return value === undefined ? undefined : formatMistake(rawName, { problem: "takes no value", repair: `write ${rawName} alone` });
  if (!VALUED.includes(name)) return formatMistake(rawName, { problem: "is not a flag of serve", repair: suggestFlag(name) });
  const isNextFlag = value?.startsWith("--") === true && token.inlineValue === false;
  return value === undefined || value === "" || isNextFlag
    ? formatMistake(rawName, { problem: "needs a value", repair: "write it after the flag" })
    : undefined;
}

function suggestFlag(name: string): string {
  const flags = [...VALUED, ...SWITCHES];
  const meant = closestWord(name, flags);
  return meant === undefined ? `the flags are ${flags.map((flag) => `--${flag}`).join(", ")}` : `did you mean --${meant}?`;
}

function explainStray(value: string): string {
  return `${quote(value)} is not a flag; serve takes flags alone`;
}
