import { expect, test } from "vitest";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { parseRehearsal, rehearsalJsonSchema } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";
import { keysWithoutDescription } from "../../support/gateway/json-schema.ts";

const HEAD = "version: 1\nname: r\n";

test.each([
  ["scenerio: a\n", 'r.yaml:3:1  scenerio is not a key; did you mean "scenario"?'],
  [
    "clock: manuel\n",
    'r.yaml:3:8  clock: "manuel" is not a clock; write real, manual, or x and a speed up to 100000, like x10',
  ],
  ["scenario: { version: 1, name: x, ruls: [] }\n", 'r.yaml:3:34  scenario.ruls is not a key; did you mean "rules"?'],
  [
    "steps: [{ advance: 1m, wait: 1s }]\n",
    "r.yaml:3:30  steps[0].wait cannot be combined with advance; write a separate step",
  ],
  ["steps: [{}]\n", "r.yaml:3:9  steps[0] is empty; write one of order, advance, top_up, wait"],
  [
    'steps: [{ order: { phone_number: "0712000001" } }]\n',
    'r.yaml:3:34  steps[0].order.phone_number: "0712000001" is not a phone number; write 254 and nine digits',
  ],
])("%j has its mistake in its place, with the repair", (text, problem) => {
  const parsed = parseRehearsal(`${HEAD}${text}`, "r.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([problem]);
});

test("a name is enough: one order, and the checks are always all", () => {
  expect(parseRehearsal(HEAD, "r.yaml")).toMatchObject({
    rehearsal: { steps: [{ order: { operation: "airtime", count: 1 } }] },
  });
});

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(rehearsalJsonSchema(), "")).toEqual([]);
});
