import { expect, test } from "vitest";
import { describeScenario } from "../../../src/control/describe-scenario.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";

test.each([
  ["version: 1\nname: s\ndescription: >\n  It rains\n  all day.\n", "It rains all day."],
  [
    "version: 1\nname: s\nrules: [{ name: a, then: {} }, { name: b, when: { first: 1 }, then: {} }]\ntimeline: [{ at: 1s, do: { rate_limit: none } }]",
    "a; b; 1 step on its timeline",
  ],
  ["version: 1\nname: s", "changes nothing"],
])("tells a scenario in one line", (text, told) => {
  expect(describeScenario(scenarioOf(text))).toBe(told);
});
