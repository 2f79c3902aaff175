import { expect, test } from "vitest";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";

test.each([
  ["equals: paid", { equals: "paid" }],
  ["matches: ^pa", { matches: "^pa" }],
  ["exists: true", { exists: true }],
  ["exists: false", { exists: false }],
  ["status: 201", { status: 201 }],
])("a probe can be written with %s alone", (form, wanted) => {
  const text = `version: 1\nname: one\nexpect:\n  - probe:\n      request: { url: "http://localhost:1" }\n      ${form}\n`;

  const parsed = parseRehearsal(text, "one.yaml");

  expect(parsed).toMatchObject({ rehearsal: { expect: [{ probe: wanted }] } });
});
