import * as z from "zod";

/** Returns a file's JSON Schema, for editors. */
export function fileJsonSchema(
  schema: z.ZodType,
  about: { title: string; description: string },
): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input", override: withoutDefault });
  return { $schema, ...about, ...rest };
}

/** Defaults are omitted because the descriptions state them as a user would write them. */
function withoutDefault({ jsonSchema }: { jsonSchema: { default?: unknown } }): void {
  delete jsonSchema.default;
}
