import { expect, test } from "vitest";
import * as z from "zod";
import { knownKeys, placeOfKey } from "../../../src/gateway/document/known-keys.ts";

const text = z.string().exactOptional();

const schema = z.strictObject({
  name: text,
  rules: z.array(
    z.strictObject({ when: z.strictObject({ carrier: text, count: text }), then: z.strictObject({ delay: text }) }),
  ),
  timeline: z.array(z.strictObject({ do: z.strictObject({ carrier: text }) })).default([]),
  numbers: z.record(z.string(), z.strictObject({ ported: text })),
  either: z
    .lazy(() => z.union([z.strictObject({ left: text }), z.strictObject({ right: text, count: text })]))
    .exactOptional(),
  count: text,
});

test.each([
  [[], ["name", "rules", "timeline", "numbers", "either", "count"]],
  [
    ["rules", 3],
    ["when", "then"],
  ],
  [
    ["rules", 0, "when"],
    ["carrier", "count"],
  ],
  [["timeline", 0, "do"], ["carrier"]],
  [["numbers", "254712345678"], ["ported"]],
  [["either"], ["left", "right", "count"]],
  [["name"], []],
  [["name", "deeper"], []],
  [["nowhere", "deeper"], []],
])("at %j the keys are %j", (path, keys) => {
  expect(knownKeys(schema, path)).toEqual(keys);
});

test.each([
  [["rules", 0], "carrier", "write it in rules[].when"],
  [["rules", 0, "then"], "carrier", "write it in rules[].when"],
  [["timeline", 7], "carrier", "write it in timeline[].do"],
  [[], "carrier", "write it in rules[].when"],
  [["rules", 0, "when"], "delay", "write it in rules[].then"],
  [["rules", 0, "then"], "count", "write it in rules[].when"],
  [["timeline", 0], "count", "write it at the top level of the file"],
  [["rules", 0, "then"], "name", "write it at the top level of the file"],
  [["rules", 0], "right", "write it in either"],
  [[], "name", undefined],
  [["rules", 0, "then"], "delay", undefined],
  [[], "ported", undefined],
  [["rules"], "constructor", undefined],
])("at %j, the place of %s is known: %s", (path, key, place) => {
  expect(placeOfKey(schema, path, key)).toBe(place);
});

test("looks seven levels deep and no deeper", () => {
  expect([placeOfKey(nested(6), ["b"], "key"), placeOfKey(nested(7), ["b"], "key")]).toEqual([
    "write it in a.a.a.a.a.a",
    undefined,
  ]);
});

/** A mapping with a key, this many levels down. */
function nested(levels: number): z.ZodType {
  const innermost: z.ZodType = z.strictObject({ key: text });
  return Array.from({ length: levels }).reduce<z.ZodType>((inside) => z.strictObject({ a: inside }), innermost);
}
