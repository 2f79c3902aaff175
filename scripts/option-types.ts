import { configJsonSchema } from "../src/config.ts";
import { fileJsonSchema } from "../src/gateway/document/json-schema.ts";
import { gatewayOptions } from "../src/gateway/start-gateway.ts";

/** The part of JSON Schema that the schemas of options use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

/**
 * Interfaces that an editor can explain, by the module in whose declarations they replace an inferred type. What TypeScript infers from a
 * schema of zod has no comments. Each object has an interface of its own, because the bundler misplaces comments within nested ones.
 */
export const optionTypes: readonly (readonly [module: string, name: string, text: string])[] = [
  ["testing/sandbox-options", "ConfigFile", interfacesOf("ConfigFile", configJsonSchema())],
  [
    "gateway/start-gateway",
    "GatewayOptions",
    interfacesOf("GatewayOptions", fileJsonSchema(gatewayOptions, { title: "", description: "" })),
  ],
];

/** Returns the interface of a schema, and those of the objects in it. */
function interfacesOf(name: string, schema: Schema): string {
  const names = new Map<string, string>();
  typeOf(schema, name, names);
  return [...names]
    .reverse()
    .map(([body, one]) => `interface ${one} ${body}`)
    .join("\n");
}

/** Returns a type, and adds the objects in it to `names`, by their text. */
function typeOf(schema: Schema, name: string, names: Map<string, string>): string {
  const { type, enum: values, anyOf, items } = schema;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, name, names)).join(" | ");
  if (Array.isArray(type)) return type.map((one: string) => typeOf({ ...schema, type: one }, name, names)).join(" | ");
  if (isTuple(items)) return `readonly [${items.map((one) => typeOf(one, name, names)).join(", ")}]`;
  if (items !== undefined) return `readonly (${typeOf(items, `${name}Item`, names)})[]`;
  if (type === "object") return nameObject(schema, name, names);
  return type === "integer" ? "number" : String(type ?? "unknown");
}

/** Returns the name of an object's interface; equal ones share it. */
function nameObject(schema: Schema, name: string, names: Map<string, string>): string {
  const { properties, required = [], additionalProperties: others } = schema;
  if (properties === undefined) return `Readonly<Record<string, ${typeOf(others || {}, `${name}Value`, names)}>>`;
  const keys = Object.entries(properties).map(([key, value]) => {
    const mark = required.includes(key) ? "" : "?";
    return `${commentOf(value)}readonly ${key}${mark}: ${typeOf(value, `${name}${pascal(key)}`, names)};\n`;
  });
  const body = `{\n${keys.join("")}}`;
  names.set(body, names.get(body) ?? name);
  return names.get(body) ?? name;
}

function isTuple(items: Schema["items"]): items is readonly Schema[] {
  return Array.isArray(items);
}

function pascal(key: string): string {
  return key.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function commentOf({ description }: Schema): string {
  return description === undefined ? "" : `/** ${description} */\n`;
}
