import { basename } from "node:path";
import { parseAppMap } from "../../verdict/application/app-map.ts";
import { configJsonSchema } from "../../config.ts";
import { isRehearsal } from "../../verdict/rehearsal/rehearsal-schema.ts";
import { loadScenarios, readScenarioFile } from "../../load-scenarios.ts";
import { formatProblem } from "../../gateway/document/problem.ts";
import { isEmpty, readYaml, hasKey, type YamlSource } from "../../gateway/document/yaml-source.ts";
import type { Files } from "../../gateway/adapters/files/files-on-disk.ts";
import { CliError, readOrExplain } from "../terminal/cli-error.ts";
import { APP_MAP, configuredGateway, readRehearsal } from "../rehearsal/rehearsal-files.ts";
import { readConfig } from "../config/config-file.ts";
import { USUAL_NAMES } from "../config/serve-flags.ts";
import { JSON_FLAG } from "../client/target.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";
import type { Command } from "../terminal/command.ts";
import { counted } from "../../gateway/domain/counted.ts";

export const command: Command = {
  name: "validate",
  about: [
    "Check config files, scenarios, app maps and rehearsals, and print each mistake as file:line:column path: problem; repair.",
    "Exit code 2 if there is any mistake. kredo.config.yaml and kredo.app.yaml are what their names say. Any other file with order or",
    "status is an app map; one with steps or scenario is a rehearsal; one with version, name, rules, setup or timeline",
    "is a scenario.",
  ].join(" "),
  arguments: ["<FILE...>"],
  flags: [JSON_FLAG],
  examples: ["kredo validate kredo.config.yaml scenarios/*.yaml"],
  docs: "scenarios",
  async run({ words, flags }, terminal) {
    const { stdout } = terminal;
    const checked = await Promise.all(words.map(async (path) => ({ path, mistakes: await check(path, terminal) })));
    const wrong = checked.filter(({ mistakes }) => mistakes.length > 0);
    if (!flags.has("json")) printLines(stdout, checked.flatMap(describeFile));
    else if (wrong.length === 0) printLines(stdout, [JSON.stringify(checked)]);
    if (wrong.length === 0) return 0;
    const mistakes = counted(wrong.flatMap((file) => file.mistakes).length, "mistake");
    throw new CliError(2, `${mistakes} in ${counted(wrong.length, "file")}`, checked);
  },
};

function describeFile({ path, mistakes }: { path: string; mistakes: readonly string[] }): readonly string[] {
  return mistakes.length === 0 ? [`${path}: no mistakes`] : mistakes;
}

/** Returns the mistakes in a file. */
async function check(path: string, terminal: Terminal): Promise<readonly string[]> {
  const { files } = terminal;
  const content = readOrExplain(path, files, "write the path of a config, a scenario, an app map or a rehearsal");
  if ("mistake" in content) return [content.mistake];
  const source = readYaml(content.text);
  // A config may be empty, as for serve.
  const isConfig = USUAL_NAMES.includes(basename(path));
  if (isEmpty(source) && !isConfig)
    return [`${path}:1:1  the file is empty; write a config, a scenario, an app map or a rehearsal`];
  const kind = kindOf(path, source);
  if (kind === "app map") {
    const parsed = parseAppMap(content.text, path);
    return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
  }
  if (kind === "rehearsal") {
    const found = await readRehearsal(path, content.text, files, await configuredGateway(terminal));
    return "problems" in found ? found.problems : [];
  }
  if (kind === "scenario") return (await readScenarioFile(path, content.text)).problems;
  return checkConfig(path, source, files);
}

/** What no other kind has claimed, as serve reads it. If its keys say nothing at all, says what they could be, too. */
async function checkConfig(path: string, source: YamlSource, files: Files): Promise<readonly string[]> {
  const { problems, scenarios } = await readConfig(source, path);
  const listed = await loadScenarios(scenarios, files);
  const mistakes = [...problems, ...listed.problems];
  const isNamed =
    USUAL_NAMES.includes(basename(path)) || hasKey(source, Object.keys(configJsonSchema()["properties"] ?? {}));
  const isOther = mistakes.length > 0 && !isNamed && mistakes.every((mistake) => mistake.endsWith(NO_KEY));
  return isOther ? [`${path}:1:1  ${OF_NO_KIND}`, ...mistakes] : mistakes;
}

const NO_KEY = "is not a key; remove it";

const OF_NO_KIND =
  "no key says what this is; begin a scenario with version: 1, name and rules, an app map with version: 1, application and order, a rehearsal with version: 1, name and scenario";

/** A file that Kredo finds by its name is what its name says, however wrong its keys are. */
function kindOf(path: string, source: YamlSource): "config" | "app map" | "rehearsal" | "scenario" {
  const name = basename(path);
  if (USUAL_NAMES.includes(name)) return "config";
  if (name === APP_MAP || hasKey(source, APP_MAP_KEYS)) return "app map";
  if (isRehearsal(source)) return "rehearsal";
  return hasKey(source, SCENARIO_KEYS) ? "scenario" : "config";
}

/** Keys that only an app map has. */
const APP_MAP_KEYS = ["order", "status"];

/** Keys of a scenario that a config file does not have. */
const SCENARIO_KEYS = ["version", "name", "rules", "setup", "timeline"];
