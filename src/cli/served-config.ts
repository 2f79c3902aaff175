import type { Config } from "../config/config-schema.ts";
import { Halt } from "./halt.ts";
import { CONFIG_FLAG, CONFIG_VARIABLE, INLINE_VARIABLE, USUAL_NAMES } from "./serve-flags.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Flag, Said } from "./verb.ts";

/** For verbs that look for the sandbox where serve would have it. */
export const SERVED_CONFIG_FLAG: Flag = {
  name: CONFIG_FLAG,
  value: "FILE",
  about: "the config file that serve runs with; found as serve finds it if not said",
  variables: [CONFIG_VARIABLE],
};

/** The config that serve would run with from here; an empty one where there is none. Halts at a mistake in it. */
export async function readServedConfig({ flags }: Said, { env, files, stderr }: Terminal): Promise<Config> {
  const named = flags.get(CONFIG_FLAG) ?? (env[CONFIG_VARIABLE] || env[INLINE_VARIABLE]);
  // What reads and checks a file takes longer to load than all else here.
  if (named === undefined && USUAL_NAMES.every((name) => "missing" in files.read(name))) return {};
  const { readConfigFile } = await import("./config-file.ts");
  const { config, problems, warnings } = readConfigFile(flags.get(CONFIG_FLAG), env, files);
  printLines(
    stderr,
    warnings.map((warning) => `warning: ${warning}`),
  );
  if (problems.length > 0) throw new Halt(2, problems.join("\n"));
  return config;
}
