import * as z from "zod";
import { originOf, type Origin } from "./origins.ts";
import type { Outline, Readers, Shape } from "./outline.ts";

/** The outline of a schema. What has a check or a function that is not among the readers is left to the schema. */
export function outlineOf<Schema extends z.ZodType>(schema: Schema, readers: Readers): Outline<z.output<Schema>> {
  return { root: shapeOf(schema, readers) };
}

const ASK: Shape = { kind: "ask" };

function shapeOf(schema: unknown, readers: Readers): Shape {
  const origin = schema instanceof z.ZodType ? originOf(schema) : undefined;
  if (origin !== undefined) return shapeFrom(origin, readers);
  if (schema instanceof z.ZodLazy) return shapeOf(schema.unwrap(), readers);
  if (schema instanceof z.ZodNumber) return shapeOfNumber(schema);
  if (!(schema instanceof z.ZodType) || hasChecks(schema)) return ASK;
  return shapeOfPlain(schema) ?? shapeOfComposed(schema, readers);
}

function shapeFrom(origin: Origin, readers: Readers): Shape {
  const table: Readonly<Record<string, unknown>> = origin.kind === "list" ? readers.lists : readers[origin.kind];
  const name = Object.keys(table).find((key) => table[key] === origin.by);
  if (name === undefined) return ASK;
  return origin.kind === "list" ? { kind: "list", each: shapeOf(origin.each, readers), without: name } : { kind: origin.kind, by: name };
}

/** Bounds are checks of a number; any other check is for the schema. */
function shapeOfNumber({ def }: z.ZodNumber): Shape {
  const bounds = (def.checks ?? []).map(({ _zod: internals }) => boundOf(internals.def));
  if (bounds.includes(undefined)) return ASK;
  const least = Math.max(-Infinity, ...bounds.flatMap((bound) => bound?.least ?? []));
  const most = Math.min(Infinity, ...bounds.flatMap((bound) => bound?.most ?? []));
  const whole = "format" in def && def.format === "safeint";
  // JSON has no infinity.
  return { kind: "number", whole, least: Math.max(least, -Number.MAX_VALUE), most: Math.min(most, Number.MAX_VALUE) };
}

function boundOf(check: object): { least?: number; most?: number } | undefined {
  if (!("value" in check) || typeof check.value !== "number" || !("inclusive" in check) || !check.inclusive || !("check" in check))
    return undefined;
  if (check.check === "greater_than") return { least: check.value };
  return check.check === "less_than" ? { most: check.value } : undefined;
}

function hasChecks({ def }: z.ZodType): boolean {
  return "checks" in def && Array.isArray(def.checks) && def.checks.length > 0;
}

function shapeOfPlain(schema: z.ZodType): Shape | undefined {
  // A text with a form of its own, such as an e-mail address, is of another class.
  if (schema instanceof z.ZodString) return { kind: "text" };
  if (schema instanceof z.ZodBoolean) return { kind: "truth" };
  if (schema instanceof z.ZodEnum) return { kind: "word", of: schema.options };
  return schema instanceof z.ZodLiteral ? { kind: "word", of: [...schema.values] } : undefined;
}

function shapeOfComposed(schema: z.ZodType, readers: Readers): Shape {
  if (schema instanceof z.ZodArray) return { kind: "list", each: shapeOf(schema.element, readers) };
  if (schema instanceof z.ZodUnion) return { kind: "either", of: schema.options.map((option) => shapeOf(option, readers)) };
  if (schema instanceof z.ZodRecord)
    return { kind: "record", key: shapeOf(schema.keyType, readers), each: shapeOf(schema.valueType, readers) };
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever ? shapeOfMapping(schema, readers) : ASK;
}

function shapeOfMapping({ shape }: z.ZodObject, readers: Readers): Shape {
  const keys = Object.entries(shape);
  return {
    kind: "mapping",
    keys: Object.fromEntries(
      keys.map(([key, schema]) => [key, shapeOf(schema instanceof z.ZodExactOptional ? schema.unwrap() : schema, readers)]),
    ),
    needed: keys.flatMap(([key, schema]) => (schema instanceof z.ZodExactOptional ? [] : [key])),
  };
}
