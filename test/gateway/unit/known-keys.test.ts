import { expect, test } from "vitest";
import * as z from "zod";
import { knownKeys } from "../../../src/gateway/document/known-keys.ts";

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
