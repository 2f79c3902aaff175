import * as z from "zod";
import type { ActiveScenario } from "../../domain/directive.ts";
import { INITIAL_STATE, type Scenario } from "../../domain/scenario.ts";
import { formatInstant } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import { beginScenarios, endScenarios, setRule } from "../../engine/scenario-commands.ts";
import type { World } from "../../engine/world.ts";
import { describeEffects } from "../../scenario/describe.ts";
import { parseScenario } from "../../scenario/parse-scenario.ts";
import { scenarioSchema } from "../../scenario/schema.ts";
import { HttpProblem } from "../problem.ts";
import { accountEndpoint, parameter } from "./account-endpoint.ts";
import { type Endpoint, type IncomingCall, NOTHING } from "./endpoint.ts";
import { parseBody } from "./parse-request.ts";
import { moment } from "./values.ts";

export const scenarioShape = z.object({
  name: z.string(),
  description: z.string().optional(),
  since: moment.describe("When its time began, on the account's clock."),
  state: z.string().describe(`The named state it is in; it begins in ${INITIAL_STATE}.`),
  rules: z.array(z.object({ name: z.string(), is: z.enum(["on", "off"]), effects: z.string().describe("In words.") })),
  timeline: z.array(z.object({ at: moment, action: z.string(), is: z.enum(["done", "to come"]) })),
});

const listShape = z.object({ items: z.array(scenarioShape), total: z.int() });

const ruleSwitch = z.strictObject({
  rule: z.record(z.string(), z.enum(["on", "off"])).describe("From the name of a rule to on or off, as on a timeline."),
});

const CALLED = "/accounts/{account}/scenarios";
const active = { 200: { description: "The active scenarios, the one that is asked first in front", schema: listShape } };
const gone = { 204: { description: "They are over; what their timelines had taken away is back" } };

export function scenarioEndpoints(world: World): Endpoint[] {
  return [
    accountEndpoint(
      world,
      { method: "get", path: CALLED, summary: "List the active scenarios", query: NOTHING, body: NOTHING, answers: active },
      ({ account }) => listScenarios(account),
    ),
    beginEndpoint(world),
    accountEndpoint(
      world,
      { method: "delete", path: CALLED, summary: "End all scenarios", query: NOTHING, body: NOTHING, answers: gone },
      ({ account }) => end(account, undefined),
    ),
    accountEndpoint(
      world,
      { method: "delete", path: `${CALLED}/{name}`, summary: "End one scenario", query: NOTHING, body: NOTHING, answers: gone },
      (call) => end(call.account, parameter(call, "name")),
    ),
    accountEndpoint(
      world,
      { method: "patch", path: `${CALLED}/{name}`, summary: "Switch rules on or off", query: NOTHING, body: ruleSwitch, answers: active },
      async (call) => {
        const scenario = parameter(call, "name");
        for (const [rule, is] of Object.entries(call.body.rule)) await setRule(call.account, { scenario, rule, is });
        return listScenarios(call.account);
      },
    ),
  ];
}

/** Reads its body itself, because the place of a mistake in YAML is a line and a column. */
function beginEndpoint(world: World): Endpoint {
  const described = accountEndpoint(
    world,
    {
      method: "post",
      path: CALLED,
      summary: "Begin a scenario, in YAML or JSON; one of the same name begins anew. A body that is wrong changes nothing",
      query: NOTHING,
      body: scenarioSchema,
      answers: { 201: { description: "The active scenarios", schema: listShape } },
    },
    ({ account }) => listScenarios(account),
  );
  return {
    ...described,
    serve: async (call) => {
      const account = world.get(parameter(call, "account"));
      await beginScenarios(account, [{ scenario: readScenario(call.body), trusted: call.isTrusted }]);
      return Response.json(listScenarios(account), { status: 201 });
    },
  };
}

function readScenario(body: IncomingCall["body"]): Scenario {
  if (body.kind === "json") return parseBody(body, scenarioSchema);
  const parsed = parseScenario(body.text, "body");
  if ("scenario" in parsed) return parsed.scenario;
  const problems = parsed.problems.map(({ line, column, path, problem, repair }) => ({
    path: `${line}:${column} ${path}`.trim(),
    problem,
    repair,
  }));
  const [first = { path: "body", problem: "is not a scenario", repair: "correct it" }] = problems;
  throw new HttpProblem(422, [`${first.path}: ${first.problem}`, first.repair], { problems });
}

function listScenarios({ state }: Account): z.output<typeof listShape> {
  const items = state.scenarios.map((one) => scenarioJson(one, state.stepped));
  return { items, total: items.length };
}

type Stepped = Account["state"]["stepped"];

function scenarioJson({ scenario, since, off, state = INITIAL_STATE }: ActiveScenario, stepped: Stepped): z.output<typeof scenarioShape> {
  const { name, description, rules, timeline } = scenario;
  const isDone = (step: number): boolean => stepped.some((done) => done.scenario === name && done.step === step);
  return {
    name,
    ...(description !== undefined && { description }),
    since: formatInstant(since),
    state,
    rules: rules.map((rule) => ({ name: rule.name, is: off.includes(rule.name) ? "off" : "on", effects: describeEffects(rule.then) })),
    timeline: timeline.map(({ at, do: { kind } }, step) => ({
      at: formatInstant(since + at),
      action: kind,
      is: isDone(step) ? "done" : "to come",
    })),
  };
}

async function end(account: Account, name: string | undefined): Promise<Response> {
  await endScenarios(account, name);
  return new Response(null, { status: 204 });
}
