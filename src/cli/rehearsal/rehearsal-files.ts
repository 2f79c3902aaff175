import { isPath } from "../../gateway/scenario/is-path.ts";
import { basename, dirname } from "node:path";
import { listShipped, readShipped } from "../../gateway/adapters/files/shipped-files.ts";
import { type AppMap, parseAppMap } from "../../verdict/application/app-map.ts";
import { closestWord } from "../../gateway/document/closest-word.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { hasKey, locate, readYaml } from "../../gateway/document/yaml-source.ts";
import { formatProblem } from "../../gateway/document/problem.ts";
import type { Files } from "../../gateway/adapters/files/files-on-disk.ts";
import { isRehearsal, parseRehearsal, type Rehearsal } from "../../verdict/rehearsal/rehearsal-schema.ts";
import { findScenario } from "../../load-scenarios.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { GatewaySettings } from "../../gateway/settings/gateway.ts";
import { CliError, readOrExplain } from "../terminal/cli-error.ts";
import { readConfigFile } from "../config/config-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A rehearsal with the scenarios that it names. */
export interface LoadedRehearsal {
  readonly rehearsal: Rehearsal;
  readonly file: string;
  readonly scenarios: readonly Scenario[];
}

export type FoundRehearsal = LoadedRehearsal | { readonly problems: readonly string[] };

const REHEARSALS = "scenarios/rehearsals";

export function shippedRehearsals(): readonly string[] {
  return listShipped(REHEARSALS);
}

/**
 * Returns the gateway as the config sets it, which a rehearsal is read for; undefined if there is none. What is wrong in the config is said by
 * those who start from it.
 */
export async function configuredGateway(
  { env, files }: Pick<Terminal, "env" | "files">,
  config?: string,
): Promise<GatewaySettings | undefined> {
  return (await readConfigFile(config, env, files)).settings?.gateway;
}

/** Finds a rehearsal by the name of a shipped one or by path. */
export async function findRehearsal(word: string, files: Files, gateway?: GatewaySettings): Promise<FoundRehearsal> {
  if (isPath(word)) {
    const content = readOrExplain(word, files, "write the path of a rehearsal file");
    return "text" in content ? readRehearsal(word, content.text, files, gateway) : { problems: [content.mistake] };
  }
  // Reports name it as it is written on the command line, because its file is inside the package.
  if (shippedRehearsals().includes(word)) return readRehearsal(word, readShipped(REHEARSALS, word), files, gateway);
  const meant = closestWord(word, shippedRehearsals());
  const repair =
    meant === undefined
      ? "kredo list names them; a file is written with its folder, like ./mine.yaml"
      : `did you mean "${meant}"?`;
  return { problems: [`${quoteText(word)} is not a shipped rehearsal; ${repair}`] };
}

/** Reads a rehearsal file and the scenarios that it names. */
export async function readRehearsal(
  file: string,
  text: string,
  files: Files,
  gateway?: GatewaySettings,
): Promise<FoundRehearsal> {
  const source = readYaml(text);
  if (hasKey(source, ["rules", "timeline"]) && !isRehearsal(source))
    return {
      problems: [
        `${file}:1:1  the file is a scenario; write a rehearsal with version: 1, name and scenario: ./${basename(file)}`,
      ],
    };
  const parsed = parseRehearsal(text, file, gateway);
  if ("problems" in parsed) return { problems: parsed.problems.map(formatProblem) };
  const { rehearsal } = parsed;
  const { scenario } = rehearsal;
  if (typeof scenario !== "string") return { rehearsal, file, scenarios: scenario === undefined ? [] : [scenario] };
  const { line, column } = locate(source, { path: ["scenario"], spot: "value" });
  const place = `${file}:${line}:${column}  scenario`;
  const found = await findScenario({ reference: scenario, place, folder: dirname(file) }, files);
  return "scenario" in found ? { rehearsal, file, scenarios: [found.scenario] } : { problems: found.problems };
}

/** The default path of the app map. */
export const APP_MAP = "kredo.app.yaml";

/** Reads an app map. Throws a CliError with its mistakes. */
export function readAppMap(path: string, files: Files): AppMap {
  const content = readOrExplain(path, files, "`kredo init --app` writes one, and `kredo docs verdict` describes it");
  if ("mistake" in content) throw new CliError(2, content.mistake);
  const parsed = parseAppMap(content.text, path);
  if ("problems" in parsed) throw new CliError(2, parsed.problems.map(formatProblem).join("\n"));
  return parsed.map;
}
