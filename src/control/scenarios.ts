import { Hono } from "hono";
import { lastStepped } from "../gateway/account/apply-scenarios.ts";
import { firstMoment, nextMoment } from "../gateway/scenario/step-moments.ts";
import { writeYaml } from "../gateway/document/write-yaml.ts";
import * as z from "zod";
import type { RunningScenario } from "../gateway/scenario/running-scenario.ts";
import { type Scenario, scenarioSchema } from "../gateway/scenario/schema.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { beginScenarios, endScenarios, setRule, swapOnAccount } from "../gateway/engine/commands.ts";
import { describeScenarioParts } from "./describe-scenario.ts";
import { parseScenario } from "../gateway/scenario/parse-scenario.ts";
import { readScenario } from "../gateway/scenario/read-scenario.ts";
import { HttpProblem } from "./problem.ts";
import { invalid } from "./read-control-body.ts";
import type { Problem } from "../gateway/document/problem.ts";
import { parseDocument } from "../gateway/document/parse-document.ts";
import type { ScenarioLibrary } from "../gateway/scenario/scenario-library.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { bodyText, validBody, validQuery } from "./validate.ts";
import { changeShape, changesRestored, setupChanges } from "./setup-changes.ts";
import { unknownName } from "./shipped-scenarios.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, momentJson } from "./json.ts";

export const scenarioShape = z.object({
  name: z.string(),
  description: z.string().optional(),
  since: momentJson.describe("When it started, on the account's clock."),
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
      at: momentJson,
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

export const scenarioCalls = new Hono<AccountEnv>()
  .get(
    "/scenarios",
    describeRoute("List the active scenarios, in the order in which their rules are tried", scenarioList),
    (c) => c.json(listScenarios(c.var.account)),
  )
  .post(
    "/scenarios",
    describeRoute(
      "Start a scenario, written in YAML or JSON, or a shipped one by name. An active scenario of the same name is restarted. A body with mistakes changes nothing. `max_rules` limits the rules of all active scenarios",
      scenarioShape,
      { status: 201, others: { 200: previewShape.describe("With dry_run: what starting it would change.") } },
    ),
    validQuery(beginQuery),
    bodyText(z.union([shippedName, scenarioSchema])),
    (c) => {
      const { account, isTrusted, services } = c.var;
      const first = c.req.valid("query").place === "first";
      const written = parseWritten(c.req.valid("json"), services.shipped);
      if (c.req.valid("query").dry_run === "true") return c.json(previewJson(account, written, first), 200);
      const scenario = withoutMistakes(written);
      beginScenarios(account, [{ scenario, trusted: isTrusted, first }]);
      return c.json(findScenario(account, scenario.name), 201);
    },
  )
  .delete(
    "/scenarios",
    describeRoute("End all scenarios. What they changed is restored, apart from the wallet", scenarioList),
    (c) => {
      endScenarios(c.var.account, undefined);
      return c.json(listScenarios(c.var.account));
    },
  )
  .get("/scenarios/:name", describeRoute("Read an active scenario as a file", textShape), (c) => {
    const { scenario } = findActive(c.var.account.state, c.req.param("name"));
    return c.json({ name: scenario.name, text: writeYaml(scenario) });
  })
  .put(
    "/scenarios/:name",
    describeRoute(
      "Replace an active scenario while it runs: its time, its counters, its switched-off rules and the wallet stay; whatever else the new version would have set by now is in force at once",
      scenarioShape,
    ),
    bodyText(scenarioSchema),
    (c) => {
      const { account, isTrusted, services } = c.var;
      const { scenario: was } = findActive(account.state, c.req.param("name"));
      const scenario = withoutMistakes(parseWritten(c.req.valid("json"), services.shipped));
      if (swapOnAccount(account, { was: was.name, scenario, trusted: isTrusted }))
        return c.json(findScenario(account, scenario.name));
      throw new HttpProblem(409, [
        `another active scenario is called ${scenario.name}`,
        "choose another name, or end that one first",
      ]);
    },
  )
  .delete(
    "/scenarios/:name",
    describeRoute("End one scenario. What it changed is restored, apart from the wallet", scenarioList),
    (c) => {
      endScenarios(c.var.account, c.req.param("name"));
      return c.json(listScenarios(c.var.account));
    },
  )
  .patch("/scenarios/:name", describeRoute("Switch a rule on or off", scenarioShape), validBody(ruleSwitch), (c) => {
    const { rule, on } = c.req.valid("json");
    setRule(c.var.account, { scenario: c.req.param("name"), rule, is: on ? "on" : "off" });
    return c.json(findScenario(c.var.account, c.req.param("name")));
  });

/** Returns the mistakes in a scenario and what starting it would do. */
function previewJson(account: RunningAccount, written: Written, first: boolean): Json<typeof previewShape> {
  if ("problems" in written) return { problems: written.problems.map(withoutFile), changes: [] };
  const { scenario } = written;
  return { problems: [], changes: setupChanges(account.state, { scenario, trusted: false, first }, account.now()) };
}

function withoutFile({ path, line, column, problem, repair }: Problem): Omit<Problem, "file"> {
  return { path, line, column, problem, repair };
}

/** Throws a 422 that lists its mistakes. */
function withoutMistakes(written: Written): Scenario {
  if ("scenario" in written) return written.scenario;
  throw invalid(written.problems);
}

type Written = ReturnType<typeof parseScenario>;

/** A single word can only be a name, and a long text cannot be one. */
function parseWritten(text: string, shipped: ScenarioLibrary): Written {
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

/** Throws a 404 if no active scenario has that name. */
function findScenario({ state }: RunningAccount, name: string): Json<typeof scenarioShape> {
  return scenarioJson(findActive(state, name), state);
}

function findActive({ scenarios }: RunningAccount["state"], name: string): RunningScenario {
  const active = scenarios.find(({ scenario }) => scenario.name === name);
  if (active !== undefined) return active;
  throw new HttpProblem(404, [`no active scenario is called ${name}`, "start it, or list the active ones"]);
}

function listScenarios({ state }: RunningAccount): Json<typeof scenarioList> {
  const items = state.scenarios.map((one) => scenarioJson(one, state));
  return { items, total: items.length, restores: changesRestored(state) };
}

function scenarioJson(
  { scenario, since, off }: RunningScenario,
  account: RunningAccount["state"],
): Json<typeof scenarioShape> {
  const { name, description } = scenario;
  const { rules, timeline } = readScenario(scenario);
  const lines = describeScenarioParts(scenario);
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
    restores: changesRestored(account, name),
  };
}
