import { lastStepped } from "../gateway/account/apply-scenarios.ts";
import { firstMoment, nextMoment } from "../gateway/scenario/step-moments.ts";
import { writeYaml } from "../gateway/document/write-yaml.ts";
import * as z from "zod";
import type { RunningScenario } from "../gateway/scenario/running-scenario.ts";
import { type Scenario, scenarioSchema } from "../gateway/scenario/schema.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { beginScenarios, endScenarios, setRule, swapOnAccount } from "../gateway/engine/commands.ts";
import { describeParts } from "./describe-scenario.ts";
import { parseScenario } from "../gateway/scenario/parse-scenario.ts";
import { readScenario } from "../gateway/scenario/read-scenario.ts";
import { HttpProblem } from "./problem.ts";
import { invalid } from "./read-control-body.ts";
import type { Problem } from "../gateway/document/problem.ts";
import { parseDocument } from "../gateway/document/parse-document.ts";
import type { ScenarioLibrary } from "../gateway/scenario/scenario-library.ts";
import { type AccountCall, type ControlRoute, route } from "./route.ts";
import { changeShape, restoringChanges, setupChanges } from "./setup-changes.ts";
import { unknownName } from "./shipped-scenarios.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, moment } from "./json.ts";

export const scenarioShape = z.object({
  name: z.string(),
  description: z.string().optional(),
  since: moment.describe("When it started, on the account's clock."),
  rules: z.array(
    z.object({
      name: z.string(),
      is: z.enum(["on", "off"]),
      when: z.string().describe("The requests it matches, in the syntax of its file; empty for all airtime and SMS."),
      effects: z.string().describe("What it does, as in its file: `refuse: 429`."),
    }),
  ),
  timeline: z.array(
    z.object({
      at: moment,
      action: z.string().describe("The change, as in its file: `carrier: { airtel: down }`."),
      is: z.enum(["done", "to come"]),
    }),
  ),
  restores: z.array(changeShape).describe("The settings that change when it ends: what it set, apart from the wallet."),
});

export const scenarioList = z.object({
  items: z.array(scenarioShape),
  total: z.int(),
  restores: z.array(changeShape).describe("The settings that change when all of them end."),
});

export const previewShape = z.object({
  problems: z
    .array(z.object({ path: z.string(), line: z.int(), column: z.int(), problem: z.string(), repair: z.string() }))
    .describe("The mistakes because of which it would be refused."),
  changes: z.array(changeShape).describe("What starting it would change in the account at once."),
});

const textShape = z.object({ name: z.string(), text: z.string().describe("The scenario as a file in YAML.") });

const beginQuery = z.strictObject({
  place: z
    .enum(["first", "last"])
    .describe(
      "first tries its rules before those of all active scenarios; last tries them after those, or in place of an active scenario of the same name. Default: last.",
    )
    .prefault("last"),
  dry_run: z
    .enum(["true", "false"])
    .describe("true only returns what starting it would change. Default: false.")
    .prefault("false"),
});

const ruleSwitch = z.strictObject({
  rule: z.string().describe("The name of a rule."),
  on: z.boolean().describe("Whether it may fire."),
});

const shippedName = z.strictObject({ name: z.string().describe("The name of a shipped scenario.") });

export const SCENARIO_ROUTES: readonly ControlRoute[] = [
  route("GET", "/accounts/{account}/scenarios", {
    summary: "List the active scenarios, in the order in which their rules are tried",
    answer: scenarioList,
    serve: ({ account }) => listScenarios(account),
  }),
  route("POST", "/accounts/{account}/scenarios", {
    summary:
      "Start a scenario, written in YAML or JSON, or a shipped one by name. An active scenario of the same name is restarted. A body with mistakes changes nothing. `max_rules` limits the rules of all active scenarios",
    query: beginQuery,
    body: z.union([shippedName, scenarioSchema]),
    parsesText: true,
    answer: scenarioShape,
    status: 201,
    others: { 200: previewShape.describe("With dry_run: what starting it would change.") },
    serve(call) {
      const { account, query, text, shipped, isTrusted } = call;
      if (query.dry_run === "true") return Response.json(preview(call));
      const scenario = scenarioIn(text, shipped);
      beginScenarios(account, [{ scenario, trusted: isTrusted, first: query.place === "first" }]);
      return showScenario(account, scenario.name);
    },
  }),
  route("DELETE", "/accounts/{account}/scenarios", {
    summary: "End all scenarios. What they changed is restored, apart from the wallet",
    answer: scenarioList,
    serve({ account }) {
      endScenarios(account, undefined);
      return listScenarios(account);
    },
  }),
  route("GET", "/accounts/{account}/scenarios/{name}", {
    summary: "Read an active scenario as a file",
    answer: textShape,
    serve({ account, parameters }) {
      const { scenario } = findActive(account.state, parameters.name);
      return { name: scenario.name, text: writeYaml(scenario) };
    },
  }),
  route("PUT", "/accounts/{account}/scenarios/{name}", {
    summary:
      "Replace an active scenario while it runs: its time, its counters, its switched-off rules and the wallet stay; whatever else the new version would have set by now is in force at once",
    body: scenarioSchema,
    parsesText: true,
    answer: scenarioShape,
    serve({ account, parameters, text, shipped, isTrusted }) {
      const { scenario: was } = findActive(account.state, parameters.name);
      const scenario = scenarioIn(text, shipped);
      if (swapOnAccount(account, { was: was.name, scenario, trusted: isTrusted }))
        return showScenario(account, scenario.name);
      throw new HttpProblem(409, [
        `another active scenario is called ${scenario.name}`,
        "choose another name, or end that one first",
      ]);
    },
  }),
  route("DELETE", "/accounts/{account}/scenarios/{name}", {
    summary: "End one scenario. What it changed is restored, apart from the wallet",
    answer: scenarioList,
    serve({ account, parameters }) {
      endScenarios(account, parameters.name);
      return listScenarios(account);
    },
  }),
  route("PATCH", "/accounts/{account}/scenarios/{name}", {
    summary: "Switch a rule on or off",
    body: ruleSwitch,
    answer: scenarioShape,
    serve({ account, parameters, body: { rule, on } }) {
      setRule(account, { scenario: parameters.name, rule, is: on ? "on" : "off" });
      return showScenario(account, parameters.name);
    },
  }),
];

/** Returns the mistakes in a scenario and what starting it would do, without changing anything. */
function preview({
  account,
  text,
  shipped,
  query,
}: AccountCall<z.output<typeof beginQuery>>): Json<typeof previewShape> {
  const read = parseWritten(text, shipped);
  if ("problems" in read) return { problems: read.problems.map(withoutFile), changes: [] };
  const { scenario } = read;
  const loaded = { scenario, trusted: false, first: query.place === "first" };
  return { problems: [], changes: setupChanges(account.state, loaded, account.now()) };
}

function withoutFile({ path, line, column, problem, repair }: Problem): Omit<Problem, "file"> {
  return { path, line, column, problem, repair };
}

/** Returns the scenario in a body. Throws a 422 that lists its mistakes. */
function scenarioIn(text: string, shipped: ScenarioLibrary): Scenario {
  const parsed = parseWritten(text, shipped);
  if ("scenario" in parsed) return parsed.scenario;
  throw invalid(parsed.problems);
}

/** A single word can only be a name, and a long text cannot be one. */
function parseWritten(text: string, shipped: ScenarioLibrary): ReturnType<typeof parseScenario> {
  const [bare] = /^\s*([A-Za-z0-9][\w.-]*)\s*$/.exec(text) ?? [];
  if (bare !== undefined) return { scenario: findShipped(bare.trim(), shipped) };
  const named = text.length > LONGEST_NAME ? undefined : parseDocument(text, shippedName, "body");
  if (named !== undefined && "value" in named) return { scenario: findShipped(named.value.name, shipped) };
  return parseScenario(text, "body");
}

const LONGEST_NAME = 1_000;

function findShipped(name: string, shipped: ScenarioLibrary): Scenario {
  const scenario = shipped.find(name);
  if (scenario !== undefined) return scenario;
  throw unknownName(422, name, shipped);
}

/** Shows an active scenario. Throws a 404 if there is none of that name. */
function showScenario({ state }: RunningAccount, name: string): Json<typeof scenarioShape> {
  return readActive(findActive(state, name), state);
}

function findActive({ scenarios }: RunningAccount["state"], name: string): RunningScenario {
  const active = scenarios.find(({ scenario }) => scenario.name === name);
  if (active !== undefined) return active;
  throw new HttpProblem(404, [`no active scenario is called ${name}`, "start it, or list the active ones"]);
}

function listScenarios({ state }: RunningAccount): Json<typeof scenarioList> {
  const items = state.scenarios.map((one) => readActive(one, state));
  return { items, total: items.length, restores: restoringChanges(state) };
}

function readActive(
  { scenario, since, off }: RunningScenario,
  account: RunningAccount["state"],
): Json<typeof scenarioShape> {
  const { name, description } = scenario;
  const { rules, timeline } = readScenario(scenario);
  const lines = describeParts(scenario);
  return {
    name,
    description,
    since: formatInstant(since),
    rules: rules.map((rule, index) => ({
      name: rule.name,
      is: off.includes(rule.name) ? "off" : "on",
      when: lines.rules[index]?.when ?? "",
      effects: lines.rules[index]?.effects ?? "",
    })),
    timeline: timeline.map((timed, step) => {
      const next = nextMoment(timed, since, lastStepped(account.stepped, name, step)?.at);
      const at = next ?? firstMoment(timed, since);
      return { at: formatInstant(at), action: lines.actions[step] ?? "", is: next === undefined ? "done" : "to come" };
    }),
    restores: restoringChanges(account, name),
  };
}
