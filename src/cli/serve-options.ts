import { type Config, configSchema } from "../config/config-schema.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { explainIssues } from "../document/explain-issues.ts";
import { ONCE } from "../document/parse-document.ts";
import { formatMistake, formatPath, type Path } from "../document/problem.ts";
import { readConfigFile, type Variables } from "./config-file.ts";
import { type LoadedScenario, loadScenarios, type WantedScenario } from "../simulator-scenarios.ts";
import { mergeConfig } from "./merge-config.ts";
import type { Files } from "../ports/files.ts";
import { type Flags, readFlags } from "./read-flags.ts";
import { type StateFiles, stateFiles } from "./state-files.ts";
import {
  CONFIG_FLAG,
  SCENARIO_FLAG,
  SCENARIO_VARIABLE,
  SERVE_SETTINGS,
  SERVE_VARIABLES,
  type ServeSetting,
  WATCH_FLAG,
} from "./serve-flags.ts";

export type ServeOptions =
  | {
      readonly settings: SandboxSettings;
      /** Every account begins with them. */
      readonly scenarios: readonly LoadedScenario[];
      /** Scenario files are read again whenever they change. */
      readonly watch: boolean;
      readonly configFile?: string;
      readonly state: StateFiles;
      readonly warnings: readonly string[];
    }
  | { readonly problems: readonly string[]; readonly warnings: readonly string[] };

type Value = string | number | boolean | readonly string[];

/** Something said on the command line or in the environment. */
interface Choice {
  /** The flag or variable, as it was written. */
  readonly place: string;
  readonly path: Path;
  readonly value: Value;
}

/** What `serve` runs with: flag beats variable beats file beats default. All mistakes come at once. */
export function readServeOptions(argv: readonly string[], environment: Variables, files: Files): ServeOptions {
  const flags = readFlags(argv);
  const env = withoutServiceLinks(environment);
  const { config, file, ...found } = readConfigFile(flags.given.get(CONFIG_FLAG), env, files);
  const choices = choose(flags.given, env);
  const chosen = choices.map(readChoice);
  const merged = chosen.reduceRight((below, { config: above }) => mergeConfig(below, above), config);
  const scenarios = loadScenarios(wantedByFlags(flags) ?? wantedByVariable(env) ?? found.scenarios, files);
  const warnings = [...found.warnings, ...findUnknownVariables(env), ...scenarios.warnings];
  const mistakes = [
    ...flags.problems,
    ...chosen.flatMap(({ problems }) => problems),
    ...found.problems,
    ...findTakenKey(merged, choices),
    ...scenarios.problems,
  ];
  if (mistakes.length > 0) return { problems: [...new Set(mistakes)], warnings };
  return {
    settings: resolveSettings(merged),
    scenarios: scenarios.loaded,
    watch: flags.given.has(WATCH_FLAG),
    ...(file !== undefined && { configFile: file }),
    state: stateFiles(flags.given, env),
    warnings,
  };
}

/**
 * Kubernetes and linked containers describe a service named kredo as `KREDO_PORT=tcp://10.0.0.1:8254`, `KREDO_SERVICE_HOST`
 * and more (kubernetes.io/docs, "Accessing the Service"): nobody meant those for us.
 */
function withoutServiceLinks(env: Variables): Variables {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, text]) => !/^KREDO_(SERVICE|PORT)_/.test(name) && !(name === "KREDO_PORT" && text?.startsWith("tcp://")),
    ),
  );
}

function wantedByFlags({ scenarios }: Flags): WantedScenario[] | undefined {
  return scenarios.length === 0 ? undefined : scenarios.map((reference) => ({ reference, place: `--${SCENARIO_FLAG}` }));
}

/** An empty variable counts as unset, here as anywhere. */
function wantedByVariable(env: Variables): WantedScenario[] | undefined {
  const references = (env[SCENARIO_VARIABLE] ?? "").split(",").map((text) => text.trim());
  const named = references.filter((reference) => reference !== "");
  return named.length === 0 ? undefined : named.map((reference) => ({ reference, place: SCENARIO_VARIABLE }));
}

/** The choices that count: for each key the first one, flags before variables. */
function choose(flags: ReadonlyMap<string, string>, env: Variables): Choice[] {
  const all = [
    ...SERVE_SETTINGS.flatMap((setting) => flagChoices(setting, flags)),
    ...SERVE_SETTINGS.flatMap((setting) => variableChoices(setting, env)),
  ];
  const keys = all.map(({ path }) => formatPath(path));
  return all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

function flagChoices(setting: ServeSetting, flags: ReadonlyMap<string, string>): Choice[] {
  const text = setting.flag === undefined ? undefined : flags.get(setting.flag);
  return text === undefined ? [] : setting.paths.map((path) => ({ place: `--${setting.flag}`, path, value: valueOf(text, setting.kind) }));
}

/** An empty variable counts as unset. */
function variableChoices(setting: ServeSetting, env: Variables): Choice[] {
  const place = setting.variables.find((name) => env[name]);
  const text = place === undefined ? undefined : env[place];
  if (place === undefined || text === undefined) return [];
  return setting.paths.map((path) => ({ place, path, value: valueOf(text, setting.kind) }));
}

/** What cannot be turned into its kind stays text, and the schema refuses it. */
function valueOf(text: string, kind: ServeSetting["kind"]): Value {
  return READERS[kind](text);
}

const READERS: Readonly<Record<ServeSetting["kind"], (text: string) => Value>> = {
  text: (text) => text,
  number: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  boolean: readTruth,
  on: (text) => text === "" || readTruth(text),
  off: () => false,
  list: (text) => text.split(",").map((item) => item.trim()),
};

function readTruth(text: string): string | boolean {
  return /^(true|false|1|0)$/.test(text) ? text === "true" || text === "1" : text;
}

/** Checks one choice as if it stood alone in a config file. */
function readChoice({ place, path, value }: Choice): { config: Config; problems: string[] } {
  const written = path.reduceRight<unknown>((inner, step) => (typeof step === "number" ? [inner] : { [step]: inner }), value);
  const parsed = configSchema.safeParse(written, ONCE);
  if (parsed.success) return { config: parsed.data, problems: [] };
  return { config: {}, problems: explainIssues(parsed.error.issues, configSchema).map((wrong) => formatMistake(place, wrong)) };
}

/** The file's own keys are compared when it is read; the command line can still choose one of them for the first account. */
function findTakenKey({ accounts = [] }: Config, choices: readonly Choice[]): string[] {
  const choice = choices.find(({ path }) => path.at(-1) === "consumer_key");
  const taken = accounts.findIndex((account, index) => index > 0 && account.consumer_key === choice?.value);
  if (choice === undefined || taken === -1) return [];
  return [
    formatMistake(choice.place, {
      problem: `${quote(String(choice.value))} is the key of accounts[${taken}] already`,
      repair: "write another one",
    }),
  ];
}

function findUnknownVariables(env: Variables): string[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith("KREDO_") && !SERVE_VARIABLES.includes(name));
  return unknown.map((name) => {
    const meant = closestWord(withoutPrefix(name), SERVE_VARIABLES.map(withoutPrefix));
    return formatMistake(name, {
      problem: "is not a variable that serve reads",
      repair: meant === undefined ? "unset it" : `did you mean KREDO_${meant}?`,
    });
  });
}

/** What all names share says nothing about which one was meant. */
function withoutPrefix(name: string): string {
  return name.replace(/^KREDO_/, "");
}
