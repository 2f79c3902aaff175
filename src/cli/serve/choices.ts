import type { SandboxSettings } from "../../config/config-schema.ts";
import { closestWord } from "../../document/closest-word.ts";
import { quote } from "../../document/describe-value.ts";
import { formatMistake, formatPath, type Path } from "../../document/problem.ts";
import type { WantedScenario } from "../../sandbox/scenarios.ts";
import type { Variables } from "../terminal.ts";
import type { ParsedArgs } from "../command.ts";
import { SERVE_SETTINGS, SERVE_VARIABLES, type ServeSetting, variableOf } from "./serve-flags.ts";

type Value = string | number | boolean | readonly string[];

/** A setting from the command line or the environment. */
export interface Choice {
  /** The flag or variable, as written. */
  readonly place: string;
  readonly path: Path;
  readonly value: Value;
}

/**
 * Removes the variables with which Kubernetes and container links describe a service named kredo, such as `KREDO_PORT=tcp://10.0.0.1:8254`
 * and `KREDO_SERVICE_HOST` (kubernetes.io/docs, "Accessing the Service"). They are not meant for us.
 */
export function withoutServiceLinks(env: Variables): Variables {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, text]) => !/^KREDO_(SERVICE|PORT)_/.test(name) && !(name === "KREDO_PORT" && text?.startsWith("tcp://")),
    ),
  );
}

/** Returns the effective choices: the first one for each key, flags before variables. */
export function choose(flags: ReadonlyMap<string, string>, env: Variables): Choice[] {
  const all = [
    ...SERVE_SETTINGS.flatMap((setting) => flagChoices(setting, flags)),
    ...SERVE_SETTINGS.flatMap((setting) => variableChoices(setting, env)),
  ];
  const keys = all.map(({ path }) => formatPath(path));
  return all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

function flagChoices(setting: ServeSetting, flags: ReadonlyMap<string, string>): Choice[] {
  const text = setting.flag === undefined ? undefined : flags.get(setting.flag.name);
  return text === undefined
    ? []
    : setting.paths.map((path) => ({ place: `--${setting.flag?.name}`, path, value: READERS[setting.kind](text) }));
}

/** An empty variable counts as unset. */
function variableChoices(setting: ServeSetting, env: Variables): Choice[] {
  const place = setting.variables.find((name) => env[name]);
  const text = place === undefined ? undefined : env[place];
  if (place === undefined || text === undefined) return [];
  return setting.paths.map((path) => ({ place, path, value: READERS[setting.kind](text) }));
}

/** A value that cannot be converted stays a string, which the schema then refuses. */
const READERS = {
  text: (text: string) => text,
  number: (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  boolean: readTruth,
  on: (text: string) => text === "" || readTruth(text),
  off: () => false,
  list: (text: string) => text.split(",").map((item) => item.trim()),
} satisfies Readonly<Record<ServeSetting["kind"], (text: string) => Value>>;

function readTruth(text: string): string | boolean {
  return /^(true|false|1|0)$/.test(text) ? text === "true" || text === "1" : text;
}

/** Writes a choice into the config file's value. */
export function write(written: unknown, { path, value }: Pick<Choice, "path" | "value">): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: readonly unknown[] = Array.isArray(written) ? written : [];
    return [...list.slice(0, step), write(list[step], { path: rest, value }), ...list.slice(step + 1)];
  }
  const mapping: Readonly<Record<string, unknown>> = { ...(typeof written === "object" && written) };
  return { ...mapping, [step]: write(mapping[step], { path: rest, value }) };
}

/** Returns the scenarios named by flags, otherwise those of the variable, separated by commas. An empty variable counts as unset. */
export function wantedScenarios({ repeated }: ParsedArgs, env: Variables): WantedScenario[] | undefined {
  const variable = variableOf("scenario");
  const listed = READERS.list(env[variable] ?? "").filter((reference) => reference !== "");
  const byVariable = listed.length === 0 ? undefined : listed.map((reference) => ({ reference, place: variable }));
  return repeated.get("scenario")?.map((reference) => ({ reference, place: "--scenario" })) ?? byVariable;
}

/** Finds a key chosen on the command line that another account already has. Duplicates within the file are found by the schema. */
export function findTakenKey({ accounts }: Pick<SandboxSettings, "accounts">, choices: readonly Choice[]): string[] {
  const choice = choices.find(({ path }) => path.at(-1) === "consumer_key");
  const taken = accounts.findIndex((account, index) => index > 0 && account.consumer_key === choice?.value);
  if (choice === undefined || taken === -1) return [];
  return [
    formatMistake(choice.place, {
      problem: `${quote(String(choice.value))} is already the key of accounts[${taken}]`,
      repair: "write another one",
    }),
  ];
}

/** Returns warnings about variables that look like ours but are not. */
export function findUnknownVariables(env: Variables): string[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith("KREDO_") && !SERVE_VARIABLES.includes(name));
  return unknown.map((name) => {
    const meant = closestWord(withoutPrefix(name), SERVE_VARIABLES.map(withoutPrefix));
    return formatMistake(name, {
      problem: "is not a variable that serve reads",
      repair: meant === undefined ? "unset it" : `did you mean KREDO_${meant}?`,
    });
  });
}

/** Removes the prefix, which does not help to find the variable that was meant. */
function withoutPrefix(name: string): string {
  return name.replace(/^KREDO_/, "");
}
