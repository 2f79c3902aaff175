import { Hono } from "hono";
import * as z from "zod";
import { describeScenario } from "./describe-scenario.ts";
import type { ScenarioLibrary } from "../gateway/scenario/scenario-library.ts";
import { HttpProblem } from "./problem.ts";
import { closestWord } from "../gateway/document/closest-word.ts";
import { quoteText } from "../gateway/document/describe-value.ts";
import { describeRoute } from "./describe-route.ts";
import type { ControlEnv } from "./env.ts";

export const shippedShape = z.object({
  name: z.string().describe("The name with which an account starts it."),
  description: z.string(),
});

export const shippedText = shippedShape.extend({ text: z.string().describe("The file in YAML, with its comments.") });

export const shippedScenarioCalls = new Hono<ControlEnv>()
  .get(
    "/scenarios",
    describeRoute(
      "List the shipped scenarios, in alphabetical order",
      z.object({ items: z.array(shippedShape), total: z.int() }),
    ),
    (c) => {
      const { shipped } = c.var.services;
      const items = shipped.names().flatMap((name) => summaryOf(name, shipped) ?? []);
      return c.json({ items, total: items.length });
    },
  )
  .get("/scenarios/:name", describeRoute("Read a shipped scenario", shippedText), (c) => {
    const { shipped } = c.var.services;
    const name = c.req.param("name");
    const summary = summaryOf(name, shipped);
    const text = shipped.text(name);
    if (summary === undefined || text === undefined) throw unknownName(404, name, shipped);
    return c.json({ ...summary, text });
  });

/** Returns the name and description of a shipped scenario. */
export function summaryOf(name: string, shipped: ScenarioLibrary): z.output<typeof shippedShape> | undefined {
  const scenario = shipped.find(name);
  return scenario && { name, description: describeScenario(scenario) };
}

/** Suggests the shipped scenario that was probably meant. */
export function unknownName(status: 404 | 422, name: string, shipped: ScenarioLibrary): HttpProblem {
  const meant = closestWord(name, shipped.names());
  const repair = meant === undefined ? `the names are ${shipped.names().join(", ")}` : `did you mean "${meant}"?`;
  return new HttpProblem(status, [`${quoteText(name)} is not a shipped scenario`, repair]);
}
