import { expect, test } from "vitest";
import { parseRehearsal } from "../../src/rehearsal/rehearsal-schema.ts";

test.each([
  ["equals: paid", { is: "equals", value: "paid" }],
  ["matches: ^pa", { is: "matches", pattern: "^pa" }],
  ["exists: true", { is: "exists" }],
  ["exists: false", { is: "missing" }],
  ["status: 201", { is: "answers" }],
])("a probe can be written with %s alone", (form, wanted) => {
  const text = `version: 1\nname: one\nexpect:\n  - probe:\n      request: { url: "http://localhost:1" }\n      ${form}\n`;

  const parsed = parseRehearsal(text, "one.yaml");

  expect(parsed).toMatchObject({ rehearsal: { expect: [{ kind: "probe", wanted }] } });
});
