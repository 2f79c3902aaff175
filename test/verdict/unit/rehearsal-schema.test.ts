import { expect, test } from "vitest";
import { rehearsalJsonSchema } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";
import { keysWithoutDescription } from "../../support/json-schema.ts";

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(rehearsalJsonSchema(), "")).toEqual([]);
});
