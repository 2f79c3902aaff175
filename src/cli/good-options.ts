import type { Config } from "../config/config-schema.ts";
import { CONFIG_READERS } from "../config/readers.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import { type Outline, readOutlined } from "../document/outline.ts";
import { readPlainYaml } from "../document/plain-yaml.ts";
import type { Files } from "../ports/files.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";
import { arrangeScenarios, findShipped, type FoundScenario, isPath, type LoadedScenario, Unbuilt } from "../simulator-shipped.ts";
import { asWritten, choose, findTakenKey, findUnknownVariables, wantedScenarios, withoutServiceLinks } from "./choices.ts";
import type { Variables } from "./config-file.ts";
import { mergeConfig } from "./merge-config.ts";
import { type Flags, readFlags } from "./read-flags.ts";
import { CONFIG_FLAG, CONFIG_VARIABLE, INLINE_VARIABLE, USUAL_NAMES, WATCH_FLAG } from "./serve-flags.ts";
import type { ServeOptions } from "./serve-options.ts";
import { stateFiles } from "./state-files.ts";

/** Where options are written. */
export interface Said {
  readonly argv: readonly string[];
  readonly env: Variables;
  readonly files: Files;
}

/** What a build has made of schemas and scenarios, so that they need not be read again. */
export interface Built {
  readonly outline: Outline<Config>;
  readonly shipped: ScenarioLibrary;
}

/**
 * The options of a start about which there is nothing to say, read without zod and YAML, which take longer to load than a bare
 * server to start. Undefined wherever anything may be wrong, or is less than plain: then `readServeOptions` decides and explains.
 */
export function readGoodOptions(said: Said, built: Built): ServeOptions | undefined {
  const flags = readFlags(said.argv);
  const env = withoutServiceLinks(said.env);
  if (flags.problems.length > 0 || findUnknownVariables(env).length > 0) return undefined;
  const found = readConfig({ ...said, env }, flags, built);
  const choices = choose(flags.given, env);
  const chosen = choices.flatMap((choice) => readOutlined(built.outline, asWritten(choice), CONFIG_READERS) ?? []);
  if (found === undefined || chosen.length < choices.length) return undefined;
  const config = chosen.reduceRight(mergeConfig, found.config);
  const wanted = wantedScenarios(flags, env) ?? found.config.scenarios?.map((reference) => ({ reference, place: "" }));
  const scenarios = loadShipped(wanted, built);
  if (scenarios === undefined || findTakenKey(config, choices).length > 0) return undefined;
  return {
    settings: resolveSettings(config),
    scenarios,
    watch: flags.given.has(WATCH_FLAG),
    ...(found.file !== undefined && { configFile: found.file }),
    state: stateFiles(flags.given, env),
    warnings: [],
  };
}

interface FoundConfig {
  readonly config: Config;
  readonly file?: string;
}

function readConfig({ env, files }: Said, { given }: Flags, { outline }: Built): FoundConfig | undefined {
  if (env[INLINE_VARIABLE]) return undefined;
  const named = given.get(CONFIG_FLAG) || env[CONFIG_VARIABLE];
  const paths = named ? [named] : USUAL_NAMES;
  const there = paths.map((path) => ({ path, content: files.read(path) })).filter(({ content }) => !("missing" in content));
  const [first, second] = there;
  if (first === undefined) return named ? undefined : { config: {} };
  if (second !== undefined || !("text" in first.content)) return undefined;
  const written = readPlainYaml(first.content.text);
  const config = written === undefined ? undefined : readOutlined(outline, written, CONFIG_READERS);
  return config && { config, file: first.path };
}

const ELSEWHERE: FoundScenario = { problems: ["not a shipped one"], warnings: [] };

function loadShipped(wanted: Parameters<typeof arrangeScenarios>[0], { shipped }: Built): readonly LoadedScenario[] | undefined {
  try {
    const find = (one: { reference: string; place: string }): FoundScenario =>
      isPath(one.reference) ? ELSEWHERE : findShipped(one, shipped);
    const { loaded, problems, warnings } = arrangeScenarios(wanted, { find, shipped });
    return problems.length + warnings.length === 0 ? loaded : undefined;
  } catch (error) {
    if (error instanceof Unbuilt) return undefined;
    throw error;
  }
}
