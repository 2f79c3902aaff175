import * as z from "zod";
import { configSchema } from "./config-schema.ts";

/** The config file's shape for editors. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { target: "draft-7", io: "input" });
  return {
    $schema,
    title: "Kredo configuration",
    description: "kredo.config.yaml: how the sandbox behaves. Every key is optional.",
    ...rest,
  };
}
