import * as z from "zod";
import { describeScenario } from "../../scenario/describe.ts";
import type { ScenarioLibrary } from "../../ports/scenario-library.ts";
import { HttpProblem } from "../problem.ts";
import { closestWord } from "../../document/closest-word.ts";
import { quote } from "../../document/describe-value.ts";
import { type Endpoint, endpoint, parameter } from "./endpoint.ts";

export const shippedShape = z.object({
  name: z.string().describe("The name with which an account starts it."),
  description: z.string(),
});

export const shippedText = shippedShape.extend({ text: z.string().describe("The file in YAML, with its comments.") });

const shippedList = z.object({ items: z.array(shippedShape), total: z.int() });

const list = { 200: { description: "The shipped scenarios, in alphabetical order", schema: shippedList } };
const one = { 200: { description: "The scenario", schema: shippedText } };

/** Endpoints for the scenarios that every account can start by name. */
export const SHIPPED_SCENARIO_ENDPOINTS: readonly Endpoint[] = [
  endpoint({ method: "get", path: "/scenarios", summary: "List the shipped scenarios", answers: list }, ({ shipped }) =>
    listShipped(shipped),
  ),
  endpoint({ method: "get", path: "/scenarios/{name}", summary: "Read a shipped scenario", answers: one }, (call) =>
    readShipped(parameter(call, "name"), call.shipped),
  ),
];

function listShipped(shipped: ScenarioLibrary): z.output<typeof shippedList> {
  const items = shipped.names().flatMap((name) => summaryOf(name, shipped) ?? []);
  return { items, total: items.length };
}

function readShipped(name: string, shipped: ScenarioLibrary): z.output<typeof shippedText> {
  const summary = summaryOf(name, shipped);
  const text = shipped.text(name);
  if (summary === undefined || text === undefined) throw unknownName(404, name, shipped);
  return { ...summary, text };
}

function summaryOf(name: string, shipped: ScenarioLibrary): z.output<typeof shippedShape> | undefined {
  const scenario = shipped.find(name);
  return scenario && { name, description: describeScenario(scenario) };
}

/** Suggests the shipped scenario that was probably meant. */
export function unknownName(status: 404 | 422, name: string, shipped: ScenarioLibrary): HttpProblem {
  const meant = closestWord(name, shipped.names());
  const repair = meant === undefined ? `the names are ${shipped.names().join(", ")}` : `did you mean "${meant}"?`;
  return new HttpProblem(status, [`${quote(name)} is not a shipped scenario`, repair]);
}
