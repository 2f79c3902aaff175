import * as z from "zod";
import { rehearsalSchema } from "./schema.ts";

/** The rehearsal file's shape for editors. */
export function rehearsalJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(rehearsalSchema, { target: "draft-7", io: "input" });
  const description = "What an application is driven with, what goes wrong meanwhile, and what must hold afterwards.";
  return { $schema, title: "Kredo rehearsal", description, ...rest };
}
