import * as z from "zod";
import type { Immutable } from "../gateway/domain/immutable.ts";
import { type Kes, kesAsNumber } from "../gateway/domain/kes.ts";
import { formatDuration, formatInstant, type Instant, type Millis } from "../gateway/domain/time.ts";

/** An amount: cents in a reading, KES in JSON. */
export const money = z
  .transform((amount: Kes) => kesAsNumber(amount))
  .pipe(z.number())
  .describe("KES.");

/** A moment: milliseconds in a reading, ISO 8601 in JSON. */
const instant = z.transform((at: Instant) => formatInstant(at)).pipe(z.string());
export const moment = instant.describe("ISO 8601, on the account's clock.");
export const wallMoment = instant.describe("ISO 8601, wall time.");

/** A duration: milliseconds in a reading, with its unit in JSON. */
export const duration = z.transform((millis: Millis) => formatDuration(millis)).pipe(z.string());

type CamelCase<Key> = Key extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Key;

/**
 * What `toJson` writes as a schema describes: the same values under the gateway's own names, such as `requestId` for `request_id`. Settings
 * keep the names of their file, so an object may also have those. A value that is null in JSON may be missing.
 */
export type ReadingOf<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ?
        | Fields<{ readonly [Key in keyof Shape as CamelCase<Key>]: ReadingOf<Shape[Key]> }>
        | Fields<{ readonly [Key in keyof Shape]: ReadingOf<Shape[Key]> }>
    : Schema extends z.ZodArray<infer Item>
      ? readonly ReadingOf<Item>[]
      : Schema extends z.ZodOptional<infer Inner>
        ? ReadingOf<Inner> | undefined
        : Schema extends z.ZodNullable<infer Inner>
          ? ReadingOf<Inner> | null | undefined
          : Schema extends z.ZodType
            ? Immutable<z.input<Schema>>
            : never;

/** Makes the keys optional whose value may be undefined. */
type Fields<Object> = { [Key in keyof Object as undefined extends Object[Key] ? never : Key]: Object[Key] } & {
  [Key in keyof Object as undefined extends Object[Key] ? Key : never]?: Object[Key];
};

/**
 * Writes a reading as the JSON that a schema describes. Only the schema's own keys are written. They are renamed in what it declares as an
 * object; the keys of a record are user data, and stay.
 */
export function toJson<Schema extends z.ZodType>(schema: Schema, reading: ReadingOf<Schema>): z.output<Schema>;
export function toJson(schema: z.core.$ZodType, reading: unknown): unknown {
  return writerOf(schema)(reading);
}

type Write = (value: unknown) => unknown;

const writers = new WeakMap<z.core.$ZodType, Write>();

function writerOf(schema: z.core.$ZodType): Write {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const made = makeWriter(schema);
  writers.set(schema, made);
  return made;
}

function makeWriter(schema: z.core.$ZodType): Write {
  if (schema instanceof z.ZodObject) return objectWriter(schema);
  if (schema instanceof z.ZodArray) {
    const write = writerOf(schema.element);
    return (list) => (Array.isArray(list) ? list.map((item) => write(item)) : list);
  }
  if (schema instanceof z.ZodOptional) {
    const write = writerOf(schema.unwrap());
    return (value) => (value === undefined ? undefined : write(value));
  }
  if (schema instanceof z.ZodNullable) {
    const write = writerOf(schema.unwrap());
    return (value) => (value === undefined || value === null ? null : write(value));
  }
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) {
    // The transformation alone: parsing would take ten times as long.
    const { transform } = schema.in.def;
    return (value) => transform(value, { value, issues: [] });
  }
  return (value) => value;
}

function objectWriter({ shape }: z.ZodObject): Write {
  const fields = Object.entries(shape).map(([key, value]) => ({ key, name: camelCase(key), write: writerOf(value) }));
  return (reading) => {
    const values = isObject(reading) ? reading : {};
    const written: Record<string, unknown> = {};
    for (const { key, name, write } of fields) written[key] = write(values[key in values ? key : name]);
    return written;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function camelCase(key: string): string {
  return key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
