import * as z from "zod";
import { scenarioSchema } from "./schema.ts";

/** The scenario file's shape for editors. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(scenarioSchema, { target: "draft-7", io: "input" });
  return { $schema, title: "Kredo scenario", description: "What goes wrong, for which requests, and when.", ...rest };
}
