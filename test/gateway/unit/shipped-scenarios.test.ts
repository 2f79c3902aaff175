import { expect, test } from "vitest";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { shippedNames, shippedText } from "../../support/gateway/shipped.ts";

const NAMES = shippedNames();

test("at least twenty scenarios are shipped", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(20);
});

test.each(NAMES)("%s is right, and is called what its file is called", (name) => {
  const parsed = parseScenario(shippedText(name), `${name}.yaml`);

  expect(parsed).toMatchObject({ scenario: { name } });
});

test.each(NAMES)("%s names its schema for editors and its story in a sentence or two", (name) => {
  const [first] = shippedText(name).split("\n");

  expect(first).toBe("# yaml-language-server: $schema=../schema/scenario.schema.json");
  expect(shippedText(name)).toMatch(/^version: 1\nname: .+\ndescription: [A-Z].+\.$/m);
});

test.each(NAMES.filter((name) => !["bad-afternoon", "magic-numbers"].includes(name)))(
  "%s says what happens and what a good backend does",
  (name) => {
    expect(shippedText(name)).toMatch(/^#.* happens/m);
    expect(shippedText(name)).toMatch(/^# What a good backend does: /m);
  },
);
