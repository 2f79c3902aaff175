import type { Completion, CompletionResult } from "@codemirror/autocomplete";
import { yamlLanguage } from "@codemirror/lang-yaml";

/** The subset of JSON Schema that Kredo generates. */
export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
}

/**
 * Suggests keys that are not there yet, or the values of a key, at a position of a YAML text. Returns null if there is nothing to suggest.
 */
export function complete(text: string, position: number, schema: Schema): CompletionResult | null {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const before = line.replace(WORD_BEFORE, "");
  const isValue = /:\s+$/.test(before);
  if (!isValue && !/^[\s-]*$|[{[,]\s*$/.test(before)) return null;
  const from = position - line.length + before.length;
  const rest = text.slice(position).replace(/^[\w$-]*/, "");
  const ending = isValue || /^\s*:/.test(rest) ? "" : ": ";
  const marked = `${text.slice(0, from)}${MARK}${ending && ": 0"}${rest}`;
  const options = optionsAt(isValue ? placeOfValue(marked, from) : placeOfKey(marked, from), schema, ending);
  return options.length === 0 ? null : { from, options, validFor: /^[\w$-]*$/ };
}

const WORD_BEFORE = /[\w$-]*$/;

/** Stands in for the word at the cursor. */
const MARK = "kredo_mark";

type Node = ReturnType<typeof yamlLanguage.parser.parse>["topNode"];

interface CursorContext {
  /** Keys, with `undefined` for a list item. */
  readonly path: readonly (string | undefined)[];
  /** For a key, the other keys of its mapping. */
  readonly siblings?: readonly string[];
}

function placeOfKey(text: string, at: number): CursorContext | undefined {
  const key = literalAt(text, at)?.parent;
  const mapping = key?.name === "Key" ? key.parent?.parent : undefined;
  return mapping
    ? { path: pathTo(mapping, text), siblings: mapping.getChildren("Pair").map((pair) => keyOf(pair, text)) }
    : undefined;
}

function placeOfValue(text: string, at: number): CursorContext | undefined {
  const value = literalAt(text, at);
  return value === undefined || value.parent?.name === "Key" ? undefined : { path: pathTo(value, text) };
}

function literalAt(text: string, at: number): Node | undefined {
  const node = yamlLanguage.parser.parse(text).resolveInner(at + 1, 1);
  return node.name === "Literal" && node.from === at ? node : undefined;
}

function pathTo(place: Node, text: string): CursorContext["path"] {
  const path: (string | undefined)[] = [];
  for (let node: Node | null = place; node !== null; node = node.parent) {
    if (node.name === "Pair") path.unshift(keyOf(node, text));
    if (node.name === "Item") path.unshift(undefined);
  }
  return path;
}

function keyOf(pair: Node, text: string): string {
  const key = pair.getChild("Key");
  return key === null ? "" : text.slice(key.from, key.to).replaceAll(/^["']|["']$/g, "");
}

function optionsAt(place: CursorContext | undefined, schema: Schema, ending: string): Completion[] {
  if (place === undefined) return [];
  const schemas = schemasAt(schema, place.path);
  return place.siblings === undefined ? valuesOf(schemas) : keysOf(schemas, place.siblings, ending);
}

/** Returns every schema that the value at a path may have. */
function schemasAt(schema: Schema, path: CursorContext["path"]): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (schemas, step) =>
      schemas.flatMap((one) => (step === undefined ? one.items : propertyOf(one, step)) ?? []).flatMap(alternativesOf),
    alternativesOf(schema),
  );
}

function propertyOf({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function alternativesOf(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternativesOf)];
}

function keysOf(schemas: readonly Schema[], siblings: readonly string[], ending: string): Completion[] {
  const known = new Map(schemas.flatMap(({ properties = {} }) => Object.entries(properties)));
  return [...known]
    .filter(([key]) => !siblings.includes(key))
    .map(([key, { description }]) => ({
      label: key,
      type: "property",
      apply: `${key}${ending}`,
      ...(description !== undefined && { info: description }),
    }));
}

function valuesOf(schemas: readonly Schema[]): Completion[] {
  const values = schemas.flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === "boolean" ? [true, false] : []),
  ]);
  return [...new Set(values)].map((value) => ({ label: String(value), type: "constant" }));
}
