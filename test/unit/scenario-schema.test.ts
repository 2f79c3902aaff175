import { expect, test } from "vitest";
import { scenarioJsonSchema } from "../../src/scenario/json-schema.ts";
import { keysWithoutDescription } from "../support/json-schema.ts";

// `npm run schema` writes the file anew.
test("the JSON Schema of the package is the one that scenario files are read by", async () => {
  const schema = `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`;

  await expect(schema).toMatchFileSnapshot("../../schema/scenario.schema.json");
});

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(scenarioJsonSchema(), "")).toEqual([]);
});
