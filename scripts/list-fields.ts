import type { JsonSchema } from "./openapi.ts";
import { code, type Field } from "./markdown.ts";

/** Where the keys of a mapping are documented, as Markdown, by the text of its schema. */
export type Documented = ReadonlyMap<string, string>;

/**
 * Lists every key of a schema, parents before children. A mapping with the same keys as an earlier one, or as one that another page
 * documents, refers to it instead of repeating them.
 */
export function listFields(schema: JsonSchema, elsewhere: Documented = new Map()): Field[] {
  return below({ schema, path: "", documented: new Map(elsewhere) });
}

/** Returns what a page documents, for other pages to refer to it. */
export function documentedOn(page: string, schema: JsonSchema): Documented {
  const documented = new Map<string, string>();
  below({ schema, path: "", documented });
  const { $schema: _draft, title: _title, ...whole } = schema;
  const keys = [...documented].map(([text, path]) => [text, `${path} of the ${page}`] as const);
  return new Map([[shapeOf(whole), `the ${page}`], ...keys]);
}

interface FieldPosition {
  readonly schema: JsonSchema;
  readonly path: string;
  /** Grows with each mapping that is listed. */
  readonly documented: Map<string, string>;
}

function below({ schema, path, documented }: FieldPosition): Field[] {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const named = Object.entries(properties).flatMap(([name, value]) =>
    one({ schema: schemaOf(value), path: path === "" ? name : `${path}.${name}`, documented }, required.includes(name)),
  );
  const listed = [items ?? []]
    .flat()
    .map(schemaOf)
    // A value, or a list of such values.
    .filter((item) => documented.get(shapeOf(item)) !== code(path))
    .flatMap((item) => below({ schema: item, path: `${path}[]`, documented }));
  const chosen =
    typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0
      ? one({ schema: additionalProperties, path: path === "" ? "NAME" : `${path}.NAME`, documented }, false)
      : [];
  const either = variants(schema).flatMap((variant) => {
    const fields = below({ schema: variant, path, documented });
    if (fields.length > FEW) documented.set(shapeOf(variant), code(path));
    return fields;
  });
  return withoutRepeats([...named, ...listed, ...chosen, ...either]);
}

function one({ schema, path, documented }: FieldPosition, isRequired: boolean): Field[] {
  const field = { path, type: typeInWords(schema), isRequired, about: schema.description ?? "" };
  const text = shapeOf(schema);
  const alike = [schema, ...variants(schema)].map((variant) => documented.get(shapeOf(variant)));
  const sameAs = alike.find((place) => place !== undefined) ?? someOf(schema, documented);
  if (sameAs !== undefined) return [{ ...field, sameAs }];
  // Before its keys, for one of them may be a mapping of the same keys.
  if (Object.keys(schema.properties ?? {}).length > FEW) documented.set(text, code(path));
  const deeper = below({ schema, path, documented });
  if (deeper.length > FEW) documented.set(text, code(path));
  return [field, ...deeper];
}

/** Names the keys of a documented mapping that are all the keys of this one, such as `rules[].when` for what it excludes. */
function someOf({ properties = {} }: JsonSchema, documented: ReadonlyMap<string, string>): string | undefined {
  const wanted = Object.entries(properties);
  if (wanted.length <= FEW) return undefined;
  for (const [text, path] of documented) {
    const { properties: there = {} }: JsonSchema = JSON.parse(text);
    if (wanted.every(([name, value]) => JSON.stringify(there[name]) === JSON.stringify(value)))
      return `${path} (${wanted.map(([name]) => name).join(", ")})`;
  }
  return undefined;
}

function shapeOf({ description: _own, ...shape }: JsonSchema): string {
  return asDraft7(JSON.stringify(shape));
}

/** Files are described by JSON Schema's draft 7, the API by a newer one, in which a list of fixed length has other keys. */
function asDraft7(text: string): string {
  return text.replaceAll('"items":false', '"additionalItems":false').replaceAll('"prefixItems"', '"items"');
}

/** With so few keys, repeating them is shorter than a reference. */
const FEW = 1;

/** Variants of one value may share a key. */
function withoutRepeats(fields: readonly Field[]): Field[] {
  const byPath = new Map<string, Field>();
  for (const field of fields) if (!byPath.has(field.path)) byPath.set(field.path, field);
  return [...byPath.values()];
}

/** Describes the type of a value in a few words. */
function typeInWords(schema: JsonSchema): string {
  const { type, enum: allowed, const: only, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (allowed !== undefined)
    return allowed.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("|");
  const choices = [...new Set(variants(schema).map(typeInWords))];
  if (choices.length > 0) return choices.map((choice) => asListOf(choice, choices)).join(" or ");
  if (type === "array") return listInWords(items);
  const words = [type ?? []].flat().map((name) => TYPES[name] ?? name);
  return words.length === 0 ? "anything" : `${words.join(" or ")}${bounds(schema)}`;
}

/** A list of what may stand alone, too, says its type once. */
function asListOf(choice: string, choices: readonly string[]): string {
  return choices.length > 1 && choice === `list of ${choices.filter((other) => other !== choice).join(" or ")}`
    ? "a list"
    : choice;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true|false",
  object: "mapping",
};

function listInWords(items: JsonSchema["items"]): string {
  if (Array.isArray(items)) return `list of ${items.length}`;
  return typeof items === "object" ? `list of ${typeInWords(items)}` : "list";
}

function bounds({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  const from = minimum > Number.MIN_SAFE_INTEGER ? String(minimum) : "";
  const to = maximum < Number.MAX_SAFE_INTEGER ? String(maximum) : "";
  if (from !== "" && to !== "") return `, ${from}–${to}`;
  if (to !== "") return `, at most ${to}`;
  return from === "" ? "" : `, at least ${from}`;
}

function variants({ anyOf = [], oneOf = [] }: JsonSchema): JsonSchema[] {
  return [...anyOf, ...oneOf];
}

function schemaOf(value: JsonSchema | boolean): JsonSchema {
  return typeof value === "boolean" ? {} : value;
}
