import { expect, test } from "vitest";
import { rehearsalJsonSchema } from "../../src/rehearsal/json-schema.ts";
import { keysWithoutDescription } from "../support/json-schema.ts";

// `npm run schema` writes the file anew.
test("the JSON Schema of the package is the one that rehearsal files are read by", async () => {
  const schema = `${JSON.stringify(rehearsalJsonSchema(), null, 2)}\n`;

  await expect(schema).toMatchFileSnapshot("../../schema/rehearsal.schema.json");
});

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(rehearsalJsonSchema(), "")).toEqual([]);
});
