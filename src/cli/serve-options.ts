import { type Config, configSchema } from "../config/config-schema.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import { explainIssues } from "../document/explain-issues.ts";
import { ONCE } from "../document/parse-document.ts";
import { formatMistake } from "../document/problem.ts";
import type { Files } from "../ports/files.ts";
import { loadScenarios } from "../simulator-scenarios.ts";
import type { LoadedScenario } from "../simulator-shipped.ts";
import { asWritten, type Choice, choose, findTakenKey, findUnknownVariables, wantedScenarios, withoutServiceLinks } from "./choices.ts";
import { readConfigFile, type Variables } from "./config-file.ts";
import { mergeConfig } from "./merge-config.ts";
import { readFlags } from "./read-flags.ts";
import { CONFIG_FLAG, WATCH_FLAG } from "./serve-flags.ts";
import { type StateFiles, stateFiles } from "./state-files.ts";

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

/** What `serve` runs with: flag beats variable beats file beats default. All mistakes come at once. */
export function readServeOptions(argv: readonly string[], environment: Variables, files: Files): ServeOptions {
  const flags = readFlags(argv);
  const env = withoutServiceLinks(environment);
  const { config, file, ...found } = readConfigFile(flags.given.get(CONFIG_FLAG), env, files);
  const choices = choose(flags.given, env);
  const chosen = choices.map(readChoice);
  const merged = chosen.reduceRight((below, { config: above }) => mergeConfig(below, above), config);
  const scenarios = loadScenarios(wantedScenarios(flags, env) ?? found.scenarios, files);
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

/** Checks one choice as if it stood alone in a config file. */
function readChoice(choice: Choice): { config: Config; problems: string[] } {
  const parsed = configSchema.safeParse(asWritten(choice), ONCE);
  if (parsed.success) return { config: parsed.data, problems: [] };
  return { config: {}, problems: explainIssues(parsed.error.issues, configSchema).map((wrong) => formatMistake(choice.place, wrong)) };
}
