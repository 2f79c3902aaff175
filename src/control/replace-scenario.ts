import { stringify } from "yaml";
import * as z from "zod";
import { swapOnAccount } from "../gateway/engine/commands.ts";
import { readScenario } from "../gateway/scenario/read-scenario.ts";
import { type Scenario, scenarioSchema } from "../gateway/scenario/schema.ts";
import { HttpProblem } from "./problem.ts";
import { type AccountCall, type ControlRoute, route } from "./route.ts";
import { wouldHaveMet } from "./preview-scenario.ts";
import { type ReadingOf, toJson } from "./to-json.ts";
import { findActive, parseWritten, previewShape, scenarioIn, scenarioShape, showScenario } from "./scenarios.ts";

const textShape = z.object({ name: z.string(), text: z.string().describe("The scenario as a file in YAML.") });

export const replacementShape = previewShape.omit({ changes: true }).extend({
  differences: z
    .array(
      z.object({
        part: z.string().describe("A key of the file, or a rule as rules.NAME: rules.the callback never comes."),
        is: z.enum(["added", "removed", "changed"]),
      }),
    )
    .describe("The differences from the running scenario."),
});

const replaceQuery = z.strictObject({
  dry_run: z.enum(["true", "false"]).describe("true only returns the differences. Default: false.").prefault("false"),
});

/** Routes that read or replace one active scenario. */
export const REPLACE_ROUTES: readonly ControlRoute[] = [
  route("GET", "/accounts/{account}/scenarios/{name}", {
    summary: "Read an active scenario as a file",
    answer: textShape,
    serve({ account, parameters }) {
      const { scenario } = findActive(account.state, parameters.name);
      return { name: scenario.name, text: stringify(scenario, { lineWidth: 0 }) };
    },
  }),
  route("PUT", "/accounts/{account}/scenarios/{name}", {
    summary:
      "Replace an active scenario while it runs: its time, its counters, its switched-off rules and the account stay; the new setup is applied at the next reset",
    query: replaceQuery,
    body: scenarioSchema,
    parsesText: true,
    answer: z.union([scenarioShape, replacementShape]),
    serve(call) {
      const { account, parameters, query, text, shipped, isTrusted } = call;
      const { scenario: was } = findActive(account.state, parameters.name);
      if (query.dry_run === "true") return Response.json(toJson(replacementShape, preview(call, was)));
      const scenario = scenarioIn(text, shipped);
      if (!swapOnAccount(account, { was: was.name, scenario, trusted: isTrusted }))
        throw new HttpProblem(409, [
          `another active scenario is called ${scenario.name}`,
          "choose another name, or end that one first",
        ]);
      return Response.json(toJson(scenarioShape, showScenario(account, scenario.name)));
    },
  }),
];

function preview({ account, text, shipped }: AccountCall, was: Scenario): ReadingOf<typeof replacementShape> {
  const read = parseWritten(text, shipped);
  if ("problems" in read) return { problems: read.problems, differences: [], rules: [] };
  return {
    problems: [],
    differences: differencesBetween(partsOf(was), partsOf(read.scenario)),
    rules: wouldHaveMet(account, read.scenario),
  };
}

/** Returns the parts to compare, with each rule as its own part. */
function partsOf(scenario: Scenario): ReadonlyMap<string, string> {
  const { rules, ...others } = readScenario(scenario);
  const parts = [...Object.entries(others), ...rules.map((rule) => [`rules.${rule.name}`, rule] as const)];
  return new Map(parts.map(([name, part]) => [name, JSON.stringify(part)]));
}

function differencesBetween(
  was: ReadonlyMap<string, string>,
  is: ReadonlyMap<string, string>,
): ReadingOf<typeof replacementShape>["differences"] {
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((part) => was.get(part) !== is.get(part))
    .map((part) => ({ part, is: !was.has(part) ? "added" : is.has(part) ? "changed" : "removed" }));
}
