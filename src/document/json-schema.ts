import * as z from "zod";

/** A file's shape for editors. */
export function fileJsonSchema(schema: z.ZodType, about: { title: string; description: string }): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input", override: withoutDefault });
  return { $schema, ...about, ...rest };
}

/** Descriptions state the defaults as a user writes them. */
function withoutDefault({ jsonSchema }: { jsonSchema: { default?: unknown } }): void {
  delete jsonSchema.default;
}
