import { configSchema, type SandboxSettings } from "../../config.ts";
import { closestWord } from "../../gateway/document/closest-word.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { explainIssues, PARSE_ONCE } from "../../gateway/document/explain-issues.ts";
import { formatMistake, formatPath, type Path } from "../../gateway/document/problem.ts";
import { parseDuration } from "../../gateway/domain/time.ts";
import type { Files } from "../../gateway/adapters/files/files-on-disk.ts";
import { type LoadedScenario, loadScenarios, type WantedScenario } from "../../load-scenarios.ts";
import { CliError } from "../terminal/cli-error.ts";
import type { ParsedArgs } from "../terminal/command.ts";
import { describeInvalidDuration } from "../terminal/flag-values.ts";
import { printWarnings, type Terminal, type Variables } from "../terminal/terminal.ts";
import { type ConfigFile, readConfigFile } from "../config/config-file.ts";
import {
  SERVE_SETTINGS,
  SERVE_VARIABLES,
  type ServeSetting,
  variableOf,
  withoutServiceLinks,
} from "../config/serve-flags.ts";
import { type StateFiles, stateFiles } from "./state-files.ts";

export interface GoodOptions {
  readonly settings: SandboxSettings;
  /** The scenarios that every account starts with. */
  readonly scenarios: readonly LoadedScenario[];
  /** Whether scenario files are reloaded when they change. */
  readonly watch: boolean;
  readonly configFile?: string;
  /** The flag or variable that chose the port, if one did. */
  readonly portPlace?: string;
  readonly state: StateFiles;
  readonly warnings: readonly string[];
}

export type ServeOptions = GoodOptions | { readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** Reads the settings of `serve` and prints their warnings. Throws a CliError with all mistakes. */
export async function expectServeOptions(args: ParsedArgs, terminal: Terminal): Promise<GoodOptions> {
  const options = await readServeOptions(args, terminal.env, terminal.files);
  printWarnings(terminal, options.warnings);
  if ("problems" in options) throw new CliError(2, options.problems.join("\n"));
  return options;
}

/** Reads the settings of `serve`: a flag overrides a variable, and a variable the config file. Reports all mistakes at once. */
export async function readServeOptions(args: ParsedArgs, environment: Variables, files: Files): Promise<ServeOptions> {
  const env = withoutServiceLinks(environment);
  const { file, ...found } = await readConfigFile(args.flags.get("config"), env, files);
  const choices = readChoices(args.flags, env);
  const merged = merge(choices, found);
  const scenarios = await loadScenarios(wantedScenarios(args, env) ?? found.scenarios, files);
  const warnings = [...found.warnings, ...findUnknownVariables(env)];
  const mistakes = [...("problems" in merged ? merged.problems : []), ...found.problems, ...scenarios.problems];
  if ("problems" in merged || mistakes.length > 0) return { problems: [...new Set(mistakes)], warnings };
  return {
    settings: merged.settings,
    scenarios: scenarios.loaded,
    watch: args.flags.has("watch"),
    configFile: file,
    portPlace: choices.find(({ path }) => path[0] === "port")?.place,
    state: stateFiles(args.flags, env),
    warnings,
  };
}

type Value = string | number | boolean | readonly string[];

/** A setting from the command line or the environment. */
interface Choice {
  /** The flag or variable, as written. */
  readonly place: string;
  readonly path: Path;
  readonly kind: ServeSetting["kind"];
  readonly value: Value;
}

/** Returns the effective choices: the first one for each key, flags before variables. An empty variable counts as unset. */
function readChoices(flags: ReadonlyMap<string, string>, env: Variables): Choice[] {
  const byFlag = SERVE_SETTINGS.flatMap((setting) =>
    choicesOf(setting, `--${setting.flag?.name}`, flags.get(setting.flag?.name ?? "")),
  );
  const byVariable = SERVE_SETTINGS.flatMap((setting) => {
    const place = setting.variables.find((name) => env[name]) ?? "";
    return choicesOf(setting, place, env[place]);
  });
  const all = [...byFlag, ...byVariable];
  const keys = all.map(({ path }) => formatPath(path));
  return all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

function choicesOf({ paths, kind }: ServeSetting, place: string, text: string | undefined): Choice[] {
  return text === undefined ? [] : paths.map((path) => ({ place, path, kind, value: READERS[kind](text) }));
}

/** A value that cannot be converted stays a string, which the schema then refuses. */
const READERS = {
  text: (text: string) => text,
  number: readNumber,
  millis: (text: string) => parseDuration(text) ?? text,
  on: (text: string) => text === "" || readTruth(text),
  list: (text: string) => text.split(",").map((item) => item.trim()),
} satisfies Readonly<Record<ServeSetting["kind"], (text: string) => Value>>;

function readNumber(text: string): string | number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function readTruth(text: string): string | boolean {
  return /^(true|false|1|0)$/.test(text) ? text === "true" || text === "1" : text;
}

/** Writes the choices over what the config file says, which has no mistakes, and reads both together. */
function merge(
  choices: readonly Choice[],
  { written, settings }: ConfigFile,
): { settings: SandboxSettings } | { problems: string[] } {
  if (choices.length === 0 && settings !== undefined) return { settings };
  const taken = settings === undefined ? [] : findTakenKey(settings, choices);
  const merged = choices.reduce<unknown>((all, { path, value }) => write(all, path, value), written ?? {});
  const parsed = configSchema.safeParse(merged, PARSE_ONCE);
  if (parsed.success) return { settings: parsed.data };
  const wrong = explainIssues(parsed.error.issues, configSchema);
  const chosen = choices.flatMap(({ place, path, kind, value }) =>
    wrong
      .filter((one) => path.every((step, index) => step === one.path[index]))
      .map((one) =>
        formatMistake(place, kind === "millis" && typeof value === "string" ? describeInvalidDuration(value) : one),
      ),
  );
  return { problems: [...chosen, ...taken] };
}

/** Writes a value at a path of what was written. */
function write(written: unknown, [step, ...rest]: Path, value: Value): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: readonly unknown[] = Array.isArray(written) ? written : [];
    return [...list.slice(0, step), write(list[step], rest, value), ...list.slice(step + 1)];
  }
  const mapping: Readonly<Record<string, unknown>> = { ...(typeof written === "object" && written) };
  return { ...mapping, [step]: write(mapping[step], rest, value) };
}

/** Finds a key chosen on the command line that another account already has. Duplicates within the file are found by the schema. */
function findTakenKey({ accounts }: SandboxSettings, choices: readonly Choice[]): string[] {
  const choice = choices.find(({ path }) => path.at(-1) === "consumer_key");
  const taken = accounts.findIndex((account, index) => index > 0 && account.consumer_key === choice?.value);
  if (choice === undefined || taken === -1) return [];
  const problem = `${quoteText(String(choice.value))} is already the key of accounts[${taken}]`;
  return [formatMistake(choice.place, { problem, repair: "write another one" })];
}

/** Returns the scenarios named by flags, otherwise those of the variable, separated by commas. An empty variable counts as unset. */
function wantedScenarios({ repeated }: ParsedArgs, env: Variables): WantedScenario[] | undefined {
  const variable = variableOf("scenario");
  const listed = READERS.list(env[variable] ?? "").filter((reference) => reference !== "");
  const byVariable = listed.length === 0 ? undefined : listed.map((reference) => ({ reference, place: variable }));
  return repeated.get("scenario")?.map((reference) => ({ reference, place: "--scenario" })) ?? byVariable;
}

/** Returns warnings about variables that look like ours but are not. */
function findUnknownVariables(env: Variables): string[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith("KREDO_") && !SERVE_VARIABLES.includes(name));
  return unknown.map((name) => {
    const meant = closestWord(withoutPrefix(name), SERVE_VARIABLES.map(withoutPrefix));
    const repair = meant === undefined ? "unset it" : `did you mean KREDO_${meant}?`;
    return formatMistake(name, { problem: "is not a variable that serve reads", repair });
  });
}

/** Removes the prefix, which does not help to find the variable that was meant. */
function withoutPrefix(name: string): string {
  return name.replace(/^KREDO_/, "");
}
