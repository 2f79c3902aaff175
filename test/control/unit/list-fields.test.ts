import { expect, test } from "vitest";
import type { JsonSchema } from "../../../scripts/openapi.ts";
import { listFields, typeInWords } from "../../../scripts/list-fields.ts";

test("lists each key above those below it", () => {
  const fields = listFields({
    type: "object",
    properties: {
      rules: {
        type: "array",
        description: "What goes wrong.",
        items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
      headers: { type: "object", additionalProperties: { type: "string", description: "A value." } },
    },
  });

  expect(fields).toEqual([
    { path: "rules", type: "list of mapping", isRequired: false, about: "What goes wrong." },
    { path: "rules[].name", type: "text", isRequired: true, about: "" },
    { path: "headers", type: "mapping", isRequired: false, about: "" },
    { path: "headers.NAME", type: "text", isRequired: false, about: "A value." },
  ]);
});

test("tells the keys of a shape once, and names the place from then on", () => {
  const limits = {
    type: "object",
    properties: { min: { type: "string" }, max: { type: "string" }, step: { type: "string" } },
  } as const;

  const fields = listFields({
    properties: { one: { ...limits, description: "First." }, other: { ...limits, description: "Second." } },
  });

  expect(fields.map(({ path }) => path)).toEqual(["one", "one.min", "one.max", "one.step", "other"]);
  expect(fields.at(-1)).toEqual({
    path: "other",
    type: "mapping",
    isRequired: false,
    about: "Second.",
    sameAs: "`one`",
  });
});

test("lists the keys of every variant, those in common once", () => {
  const fields = listFields({
    anyOf: [{ type: "string" }, { properties: { eq: {}, gt: {} } }, { properties: { eq: {}, lt: {} } }],
  });

  expect(fields.map(({ path }) => path)).toEqual(["eq", "gt", "lt"]);
});

test.each<[JsonSchema, string]>([
  [{ enum: ["airtime", "sms"] }, "airtime | sms"],
  [{ const: 1 }, "1"],
  [{ type: ["string", "number"] }, "text or number"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "text or null"],
  [{ type: "integer", minimum: 0, maximum: 255 }, "whole number, 0 to 255"],
  [{ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "whole number, at least 1"],
  [{ type: "number", maximum: 3 }, "number, at most 3"],
  [{ type: "array", items: { type: "string" } }, "list of text"],
  [{ type: "array", items: [{}, {}] }, "list of 2"],
  [{}, "anything"],
])("calls %j %j", (schema, words) => {
  expect(typeInWords(schema)).toBe(words);
});
