import { expect, test } from "vitest";
import type { ApiDescription } from "../../src/http/control/api-description.ts";
import { testControl } from "../support/control.ts";
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { rehearsalJsonSchema } from "../../src/rehearsal/json-schema.ts";
import { scenarioJsonSchema } from "../../src/scenario/json-schema.ts";
import { writeApiReference } from "../docs/write-api-reference.ts";
import { writeFileReference } from "../docs/write-file-reference.ts";

// `npm run docs:generate` writes the pages anew.
test.each([
  {
    page: "config-reference.md",
    schema: configJsonSchema(),
    path: "schema/config.schema.json",
    title: "Config file",
    about: [
      "`kredo.config.yaml` in the working directory is found by itself, `--config FILE` names another one, and `KREDO_CONFIG_INLINE` holds",
      "its text. A flag beats a variable, and a variable beats the file. Every key is optional.",
    ],
  },
  {
    page: "scenario-reference.md",
    schema: scenarioJsonSchema(),
    path: "schema/scenario.schema.json",
    title: "Scenario file",
    about: [
      "What a scenario may say. [Scenarios](scenarios.md) shows how to load and try one; `npx kredo validate FILE` names each mistake with its",
      "line and its column.",
    ],
  },
  {
    page: "rehearsal-reference.md",
    schema: rehearsalJsonSchema(),
    path: "schema/rehearsal.schema.json",
    title: "Rehearsal file",
    about: ["What a rehearsal may say: what drives your application, what goes wrong meanwhile, and what is expected of it afterwards."],
  },
])("$page is what the schema says", async ({ page, schema, path, title, about }) => {
  const written = writeFileReference({ title, about, path }, schema);

  await expect(written).toMatchFileSnapshot(`../../docs/${page}`);
});

test("control-api.md is what the OpenAPI description says", async () => {
  const { body } = await testControl().call("GET", "/openapi.json");
  const description: ApiDescription = body;

  await expect(writeApiReference(description)).toMatchFileSnapshot("../../docs/control-api.md");
});
