import type { ActiveScenarioJson } from "../../control/client/shapes.ts";
import { listShipped } from "../../gateway/adapters/files/shipped-files.ts";
import { formatProblem } from "../../gateway/document/problem.ts";
import { isPath } from "../../gateway/scenario/is-path.ts";
import { parseScenario } from "../../gateway/scenario/parse-scenario.ts";
import { DEFAULT_SCENARIO } from "../../gateway/settings/defaults.ts";
import { CliError, readOrExplain } from "../terminal/cli-error.ts";
import { controlCommand } from "../client/client.ts";
import type { CommandGroup } from "../terminal/command.ts";
import { formatTable } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

const list = controlCommand({
  name: "list",
  about: "List the active scenarios, in the order in which their rules are tried.",
  examples: ["kredo scenario list"],
  docs: "scenarios",
  field: "items",
  request: () => ({ method: "GET", path: "scenarios" }),
  describe: ({ items }, _, { terminal }) =>
    items.length === 0 ? ["No scenario is active."] : describeScenarios("ACTIVE", items, terminal),
});

const start = controlCommand({
  name: "start",
  about:
    "Start a shipped scenario (see kredo list) or one of your own: NAME or FILE. An active scenario of the same name is restarted.",
  arguments: ["<SCENARIO>"],
  flags: [{ name: "first", about: "try its rules before those of the active scenarios, instead of after" }],
  examples: ["kredo scenario start callback-never", "kredo scenario start ./scenarios/mine.yaml"],
  docs: "scenarios",
  field: "rules",
  request({ words: [scenario = ""], flags }, { files }) {
    const call = { method: "POST", path: flags.has("first") ? "scenarios?place=first" : "scenarios" } as const;
    const isUnreadable = (): boolean =>
      "unreadable" in files.read(scenario) && !listShipped("scenarios").includes(scenario);
    if (!isPath(scenario) && !isUnreadable()) return { ...call, body: { name: scenario } };
    const content = readOrExplain(scenario, files, "write the path of a scenario file");
    if ("mistake" in content) throw new CliError(2, content.mistake);
    const parsed = parseScenario(content.text, scenario);
    if ("problems" in parsed) throw new CliError(2, parsed.problems.map(formatProblem).join("\n"));
    return { ...call, body: parsed.scenario };
  },
  describe: (started, _, { terminal }) => describeScenarios("STARTED", [started], terminal),
});

const stop = controlCommand({
  name: "stop",
  about: "Stop an active scenario; without NAME, all of them.",
  arguments: ["[NAME]"],
  examples: ["kredo scenario stop callback-never", "kredo scenario stop"],
  docs: "scenarios",
  request: ({ words: [name] }) => ({
    method: "DELETE",
    path: name === undefined ? "scenarios" : `scenarios/${encodeURIComponent(name)}`,
  }),
  describe: (_, { words: [name = "all scenarios"] }) => [
    name === "all scenarios" || name === DEFAULT_SCENARIO
      ? `Stopped ${name}. Magic numbers work again after kredo scenario start ${DEFAULT_SCENARIO}.`
      : `Stopped ${name}.`,
  ],
});

export const command: CommandGroup = {
  name: "scenario",
  about: "List, start and stop scenarios in a running sandbox.",
  commands: [list, start, stop],
};

function describeScenarios(
  heading: string,
  scenarios: readonly ActiveScenarioJson[],
  terminal: Terminal,
): readonly string[] {
  const rows = scenarios.map(({ name, description = "" }) => [name, description]);
  return formatTable([heading, "DESCRIPTION"], rows, terminal);
}
