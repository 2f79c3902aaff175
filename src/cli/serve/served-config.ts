import type { SandboxSettings } from "../../config/config-schema.ts";
import { CliError } from "../cli-error.ts";
import { CONFIG_VARIABLE, INLINE_VARIABLE, USUAL_NAMES } from "./serve-flags.ts";
import { printWarnings, type Terminal } from "../terminal.ts";
import type { Flag, ParsedArgs } from "../command.ts";

/** For commands that look for the sandbox where serve would run it. */
export const SERVED_CONFIG_FLAG: Flag = {
  name: "config",
  value: "FILE",
  about: "the config file of the sandbox (default: found as serve finds it)",
  variables: [CONFIG_VARIABLE],
};

/** Reads the config that serve would use here, if there is one. Throws its mistakes. */
export async function readServedConfig(
  { flags }: ParsedArgs,
  { env, files, stderr }: Terminal,
): Promise<SandboxSettings | undefined> {
  const named = flags.get("config") ?? (env[CONFIG_VARIABLE] || env[INLINE_VARIABLE]);
  // The code that parses a file takes longer to load than everything else here.
  if (named === undefined && USUAL_NAMES.every((name) => "missing" in files.read(name))) return undefined;
  const { readConfigFile } = await import("./config-file.ts");
  const { settings, problems, warnings } = readConfigFile(flags.get("config"), env, files);
  printWarnings({ stderr }, warnings);
  if (problems.length > 0) throw new CliError(2, problems.join("\n"));
  return settings;
}
