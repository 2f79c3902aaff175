import { expect, test } from "vitest";
import { scenarioJsonSchema } from "../../../src/gateway/scenario/schema.ts";
import { keysWithoutDescription } from "../../support/gateway/json-schema.ts";

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(scenarioJsonSchema(), "")).toEqual([]);
});
