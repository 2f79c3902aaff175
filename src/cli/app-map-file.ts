import { type AppMap, parseAppMap } from "../verdict/application/app-map.ts";
import { formatProblem } from "../document/problem.ts";
import type { Files } from "../ports/files.ts";
import { CliError, readOrExplain } from "./cli-error.ts";
import type { Flag } from "./command.ts";

/** The default path of the app map. */
export const APP_MAP = "kredo.app.yaml";

export const MAP_FLAG: Flag = {
  name: "map",
  value: "FILE",
  about: `the app map (default: ${APP_MAP}, if there is one)`,
};

/** Returns the app map that a flag names, or the one in the working directory, if any. Throws a CliError with its mistakes. */
export function findAppMap(flag: string | undefined, files: Files): AppMap | undefined {
  const content = files.read(flag ?? APP_MAP);
  if ("missing" in content && flag === undefined) return undefined;
  return readAppMap(flag ?? APP_MAP, files);
}

/** Reads an app map. Throws a CliError with its mistakes. */
export function readAppMap(path: string, files: Files): AppMap {
  const content = readOrExplain(path, files, "`kredo init --app` writes one, and docs/verdict.md describes it");
  if ("mistake" in content) throw new CliError(2, content.mistake);
  const parsed = parseAppMap(content.text, path);
  if ("problems" in parsed) throw new CliError(2, parsed.problems.map(formatProblem).join("\n"));
  return parsed.map;
}
