import { parseArgs } from "node:util";
import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import { Halt } from "./halt.ts";
import type { Flag, Manual, Said } from "./verb.ts";

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type FlagToken = Extract<Token, { kind: "option" }>;

/** Reads what follows a verb; a flag given twice counts as it was given last. Halts with all mistakes at once. */
export function readSaid(argv: readonly string[], { flags }: Manual): Said {
  const options = Object.fromEntries(flags.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" }] as const));
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const given = tokens.filter((token) => token.kind === "option");
  const mistakes = given.flatMap((token) => explainFlag(token, flags) ?? []);
  if (mistakes.length > 0) throw new Halt(2, mistakes.join("\n"));
  return {
    words: tokens.flatMap((token) => (token.kind === "positional" ? token.value : [])),
    flags: new Map(given.map(({ name, value }) => [name, value ?? ""])),
    repeated: new Map(flags.map((flag) => [flag.name, given.flatMap(({ name, value = "" }) => (name === flag.name ? [value] : []))])),
  };
}

function explainFlag({ name, rawName, value, inlineValue }: FlagToken, flags: readonly Flag[]): string | undefined {
  const flag = flags.find((known) => known.name === name);
  if (flag === undefined) return formatMistake(rawName, { problem: "is not a flag here", repair: suggestFlag(rawName, flags) });
  if (flag.value === undefined)
    return value === undefined ? undefined : formatMistake(rawName, { problem: "takes no value", repair: `write ${rawName} alone` });
  const isNextFlag = value?.startsWith("--") === true && inlineValue === false;
  return value === undefined || value === "" || isNextFlag
    ? formatMistake(rawName, { problem: "needs a value", repair: `write ${rawName} ${flag.value}` })
    : undefined;
}

function suggestFlag(written: string, flags: readonly Flag[]): string {
  if (!written.startsWith("--")) return "write -- before a word that begins with a dash";
  const names = flags.map(({ name }) => name);
  const meant = closestWord(written.slice(2), names);
  return meant === undefined ? `the flags are ${names.map((name) => `--${name}`).join(", ")}` : `did you mean --${meant}?`;
}

type Named<Names extends readonly string[]> = readonly string[] & { readonly [Index in keyof Names]: string };

/** The words by the names that the usage gives them; halts when there are too few or too many. */
export function expectWords<const Names extends readonly string[]>(words: readonly string[], names: Names, usage: string): Named<Names> {
  if (areAsMany(words, names)) return words;
  const missing = names.slice(words.length);
  const problem = missing.length > 0 ? missingWords(missing) : `${quote(words[names.length] ?? "")} is one word too many`;
  const repair = `write kredo ${usage}${missing.length === 0 && names.includes("TEXT") ? ", with quotes around TEXT" : ""}`;
  throw new Halt(2, `${problem}; ${repair}`);
}

function areAsMany<Names extends readonly string[]>(words: readonly string[], names: Names): words is Named<Names> {
  return words.length === names.length;
}

function missingWords(missing: readonly string[]): string {
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`;
}
