import type * as z from "zod";

/** The function that a schema is made of, which the schema itself does not show. */
export type Origin =
  | { readonly kind: "reads"; readonly by: (text: string) => unknown }
  | { readonly kind: "passes"; readonly by: (text: string) => boolean }
  | { readonly kind: "without"; readonly by: (text: string) => readonly unknown[] }
  | { readonly kind: "list"; readonly by: (list: readonly unknown[]) => readonly unknown[]; readonly each: z.ZodType };

/** By the definition, which a schema shares with its copies: describing one makes a copy. */
const origins = new WeakMap<object, Origin>();

export function withOrigin<Schema extends z.ZodType>(schema: Schema, origin: Origin): Schema {
  origins.set(schema.def, origin);
  return schema;
}

export function originOf(schema: z.ZodType): Origin | undefined {
  return origins.get(schema.def);
}
