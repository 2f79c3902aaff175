import { dirname } from "node:path";
import { configSchema, type SandboxSettings } from "../../config.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { formatMistake, formatPath, formatProblem, type Path } from "../../gateway/document/problem.ts";
import { type Files, type FileText, reasonUnread } from "../../gateway/adapters/files/files-on-disk.ts";
import type { WantedScenario } from "../../load-scenarios.ts";
import type { Position, YamlSource } from "../../gateway/document/yaml-source.ts";
import type { Variables } from "../terminal/terminal.ts";
import { CONFIG_VARIABLE, INLINE_VARIABLE, USUAL_NAMES } from "./serve-flags.ts";

export interface ConfigFile {
  /** The unchanged content. */
  readonly written?: unknown;
  /** The settings with defaults; undefined without a file. */
  readonly settings?: SandboxSettings;
  /** Where it was read from, unless there is none. */
  readonly file?: string;
  /** The scenarios that it lists, if it has that key. */
  readonly scenarios?: readonly WantedScenario[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads the config named by the flag, otherwise by a variable, otherwise the one in the working directory, if there is one. */
export async function readConfigFile(flag: string | undefined, env: Variables, files: Files): Promise<ConfigFile> {
  if (flag) return readContent(files.read(flag), "--config", flag);
  const [named, inline] = [env[CONFIG_VARIABLE], env[INLINE_VARIABLE]];
  if (named && inline) {
    const problem = `is not allowed together with ${INLINE_VARIABLE}`;
    return failed(formatMistake(CONFIG_VARIABLE, { problem, repair: "set only one of the two" }));
  }
  if (named) return readContent(files.read(named), CONFIG_VARIABLE, named);
  return inline ? parseConfig(inline, INLINE_VARIABLE) : readUsual(files);
}

async function readContent(content: FileText, place: string, path: string): Promise<ConfigFile> {
  if ("text" in content) return parseConfig(content.text, path);
  const isMissing = "missing" in content;
  const repair = isMissing
    ? "write the path of a config file"
    : "make it readable, or write the path of another config file";
  return failed(
    formatMistake(place, { problem: `${quoteText(path)} cannot be read (${reasonUnread(content)})`, repair }),
  );
}

async function readUsual(files: Files): Promise<ConfigFile> {
  const found = USUAL_NAMES.map((path) => ({ path, content: files.read(path) })).filter(
    ({ content }) => !("missing" in content),
  );
  const [first, ...others] = found;
  if (first === undefined) return { problems: [], warnings: [] };
  // In an unreadable folder, every name is reported as unreadable, whether or not it exists.
  const more = others.filter(({ content }) => "text" in content);
  const warnings = more.map(({ path }) => `${path} is not read, because ${first.path} exists; keep one of them`);
  return { ...(await readContent(first.content, "working directory", first.path)), warnings };
}

/** The code that parses YAML is loaded only for a config. */
async function parseConfig(text: string, file: string): Promise<ConfigFile> {
  const { readYaml } = await import("../../gateway/document/yaml-source.ts");
  return readConfig(readYaml(text), file);
}

/**
 * Reads a config. What is wrong in it hides no mistake of the scenarios that it lists. Of a variable that is not replaced, says
 * nothing else.
 */
export async function readConfig(source: YamlSource, file: string): Promise<ConfigFile> {
  const { locate, textsAt } = await import("../../gateway/document/yaml-source.ts");
  const { parseSource } = await import("../../gateway/document/parse-document.ts");
  const { findVariables } = await import("./find-variables.ts");
  const parsed = parseSource(source, configSchema, file);
  const variables = findVariables(source, file);
  const isVariable = (at: string): boolean => variables.some(({ path }) => path === at);
  const scenarios = textsAt(source, "scenarios")?.flatMap((reference, index): WantedScenario[] => {
    const path = ["scenarios", index];
    const place = placeOf(file, path, locate(source, { path, spot: "value" }));
    return reference === undefined || isVariable(formatPath(path)) ? [] : [{ reference, ...place }];
  });
  const others = "problems" in parsed ? parsed.problems.filter(({ path }) => !isVariable(path)) : [];
  const read = { file, scenarios, problems: [...others, ...variables].map(formatProblem), warnings: [] };
  return "problems" in parsed ? read : { ...read, settings: parsed.value, written: parsed.written };
}

function placeOf(file: string, path: Path, { line, column }: Position): Pick<WantedScenario, "place" | "folder"> {
  const folder = file === INLINE_VARIABLE ? "" : dirname(file);
  return { place: `${file}:${line}:${column}  ${formatPath(path)}`, folder };
}

function failed(problem: string): ConfigFile {
  return { problems: [problem], warnings: [] };
}
