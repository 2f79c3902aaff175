import { configSchema, type SandboxSettings } from "../../config/config-schema.ts";
import { explainIssues, ONCE } from "../../document/explain-issues.ts";
import { formatMistake, type Path } from "../../document/problem.ts";
import type { Files } from "../../ports/files.ts";
import { type LoadedScenario, loadScenarios } from "../../sandbox/scenarios.ts";
import {
  type Choice,
  choose,
  findTakenKey,
  findUnknownVariables,
  wantedScenarios,
  withoutServiceLinks,
  write,
} from "./choices.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { CliError } from "../cli-error.ts";
import { printWarnings, type Terminal, type Variables } from "../terminal.ts";
import type { ParsedArgs } from "../command.ts";
import { type StateFiles, stateFiles } from "./state-files.ts";

export interface GoodOptions {
  readonly settings: SandboxSettings;
  /** The scenarios that every account starts with. */
  readonly scenarios: readonly LoadedScenario[];
  /** Whether scenario files are reloaded when they change. */
  readonly watch: boolean;
  readonly configFile?: string;
  readonly state: StateFiles;
  readonly warnings: readonly string[];
}

export type ServeOptions = GoodOptions | { readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** Reads the settings of `serve` and prints their warnings. Throws a CliError with all mistakes. */
export function expectServeOptions(args: ParsedArgs, terminal: Terminal): GoodOptions {
  const options = readServeOptions(args, terminal.env, terminal.files);
  printWarnings(terminal, options.warnings);
  if ("problems" in options) throw new CliError(2, options.problems.join("\n"));
  return options;
}

/** Reads the settings of `serve`: a flag overrides a variable, and a variable the config file. Reports all mistakes at once. */
export function readServeOptions(args: ParsedArgs, environment: Variables, files: Files): ServeOptions {
  const env = withoutServiceLinks(environment);
  const { file, ...found } = readConfigFile(args.flags.get("config"), env, files);
  const choices = choose(args.flags, env);
  const merged = merge(choices, found);
  const scenarios = loadScenarios(wantedScenarios(args, env) ?? found.scenarios, files);
  const warnings = [...found.warnings, ...findUnknownVariables(env)];
  const mistakes = [...("problems" in merged ? merged.problems : []), ...found.problems, ...scenarios.problems];
  if ("problems" in merged || mistakes.length > 0) return { problems: [...new Set(mistakes)], warnings };
  return {
    settings: merged.settings,
    scenarios: scenarios.loaded,
    watch: args.flags.has("watch"),
    ...(file !== undefined && { configFile: file }),
    state: stateFiles(args.flags, env),
    warnings,
  };
}

/** Writes the choices over what the config file says, which has no mistakes, and reads both together. */
function merge(
  choices: readonly Choice[],
  { written, settings }: ConfigFile,
): { settings: SandboxSettings } | { problems: string[] } {
  if (choices.length === 0 && settings !== undefined) return { settings };
  const taken = settings === undefined ? [] : findTakenKey(settings, choices);
  const parsed = configSchema.safeParse(choices.reduce<unknown>(write, written ?? {}), ONCE);
  if (parsed.success) return { settings: parsed.data };
  const wrong = explainIssues(parsed.error.issues, configSchema);
  const chosen = choices.flatMap((choice) =>
    wrong.filter((one) => isIn(choice, one.path)).map((one) => formatMistake(choice.place, one)),
  );
  return { problems: [...chosen, ...taken] };
}

function isIn(choice: Choice, path: Path): boolean {
  return choice.path.every((step, index) => step === path[index]);
}
