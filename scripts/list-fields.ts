import type { JsonSchema } from "../src/control/openapi.ts";

/** One key of a JSON value. */
export interface Field {
  /** The full path, like `rules[].then.refuse`; NAME is a key that the user chooses. */
  readonly path: string;
  /** In words: "text", "list of whole number", "a | b". */
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
  /** The path of an identical mapping whose keys are documented there. */
  readonly sameAs?: string;
}

/**
 * Lists every key of a schema, parents before children. A mapping with the same keys as an earlier one refers to it instead of repeating
 * them.
 */
export function listFields(schema: JsonSchema): Field[] {
  return below({ schema, path: "", documented: new Map() });
}

interface FieldPosition {
  readonly schema: JsonSchema;
  readonly path: string;
  /** The paths of mappings already documented, by the text of their schema. */
  readonly documented: Map<string, string>;
}

function below({ schema, path, documented }: FieldPosition): Field[] {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const named = Object.entries(properties).flatMap(([name, value]) =>
    one({ schema: schemaOf(value), path: path === "" ? name : `${path}.${name}`, documented }, required.includes(name)),
  );
  const listed = [items ?? []]
    .flat()
    .flatMap((item) => below({ schema: schemaOf(item), path: `${path}[]`, documented }));
  const chosen =
    typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0
      ? one({ schema: additionalProperties, path: path === "" ? "NAME" : `${path}.NAME`, documented }, false)
      : [];
  const either = variants(schema).flatMap((variant) => below({ schema: variant, path, documented }));
  return withoutRepeats([...named, ...listed, ...chosen, ...either]);
}

function one({ schema, path, documented }: FieldPosition, isRequired: boolean): Field[] {
  const field = { path, type: typeInWords(schema), isRequired, about: schema.description ?? "" };
  const { description: _own, ...shape } = schema;
  const text = JSON.stringify(shape);
  const sameAs = documented.get(text);
  if (sameAs !== undefined) return [{ ...field, sameAs }];
  const deeper = below({ schema, path, documented });
  if (deeper.length > FEW) documented.set(text, path);
  return [field, ...deeper];
}

/** With so few keys, repeating them is shorter than a reference. */
const FEW = 2;

/** Variants of one value may share a key. */
function withoutRepeats(fields: readonly Field[]): Field[] {
  const byPath = new Map<string, Field>();
  for (const field of fields) if (!byPath.has(field.path)) byPath.set(field.path, field);
  return [...byPath.values()];
}

/** Describes the type of a value in a few words. */
export function typeInWords(schema: JsonSchema): string {
  const { type, enum: allowed, const: only, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (allowed !== undefined)
    return allowed.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" | ");
  const choices = variants(schema).map(typeInWords);
  if (choices.length > 0) return [...new Set(choices)].join(" or ");
  if (type === "array") return listInWords(items);
  const words = [type ?? []].flat().map((name) => TYPES[name] ?? name);
  return words.length === 0 ? "anything" : `${words.join(" or ")}${bounds(schema)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true | false",
  object: "mapping",
};

function listInWords(items: JsonSchema["items"]): string {
  if (Array.isArray(items)) return `list of ${items.length}`;
  return typeof items === "object" ? `list of ${typeInWords(items)}` : "list";
}

function bounds({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  const from = minimum > Number.MIN_SAFE_INTEGER ? String(minimum) : "";
  const to = maximum < Number.MAX_SAFE_INTEGER ? String(maximum) : "";
  if (from !== "" && to !== "") return `, ${from} to ${to}`;
  if (to !== "") return `, at most ${to}`;
  return from === "" ? "" : `, at least ${from}`;
}

function variants({ anyOf = [], oneOf = [] }: JsonSchema): JsonSchema[] {
  return [...anyOf, ...oneOf];
}

function schemaOf(value: JsonSchema | boolean): JsonSchema {
  return typeof value === "boolean" ? {} : value;
}
