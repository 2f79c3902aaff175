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
  ...["+254712000001", "2547120000012"].map((number) => [
    `steps: [{ order: { phone_number: "${number}" } }]\n`,
    `r.yaml:3:34  steps[0].order.phone_number: "${number}" is not a phone number; write 254 and nine digits`,
  ]),
  [
    "clock: real\nsteps: [{ advance: 1m }]\n",
    "r.yaml:4:20  steps[0].advance needs a manual clock; write wait instead, or leave out clock",
  ],
  [
    "steps: [{ advance: all }]\n",
    'r.yaml:3:20  steps[0].advance: "all" is not a duration of up to 366d; write a duration like 400ms, 1.5s, 1h30m or 2d',
  ],
  [
    "clock: { mode: manual, now: 9999-12-31T23:59:00Z }\nsteps: [{ advance: 30s }, { advance: 30s }]\n",
    "r.yaml:4:38  steps[1].advance: moves the clock beyond 9999-12-31T23:59:59.999Z, the last moment that it can show; advance by less",
  ],
  ["steps: [{ top_up: 0 }]\n", "r.yaml:3:19  steps[0].top_up: 0.00 adds nothing; write at least 0.01"],
  [
    "steps: [{ top_up: 9999999989999.99 }, { top_up: 0.01 }]\n",
    "r.yaml:3:49  steps[1].top_up: makes the wallet larger than KES 9,999,999,999,999.99; add less",
  ],
  [
    "steps: [{ order: { operation: sms, amount: 50 } }]\n",
    "r.yaml:3:44  steps[0].order.amount has no effect on an order of sms; remove it, or write operation: airtime",
  ],
  [
    "steps: [{ order: { message: hello } }]\n",
    "r.yaml:3:29  steps[0].order.message has no effect on an order of airtime; remove it, or write operation: sms",
  ],
  [
    "steps: [{ order: { amount: 4 } }]\n",
    "r.yaml:3:28  steps[0].order.amount: the gateway refuses it: The amount must be between 5.00 and 10000.00; write one that it accepts",
  ],
  [
    'steps: [{ order: { operation: sms, message: "\\uD800" } }]\n',
    "r.yaml:3:45  steps[0].order.message: the gateway refuses it: The message must be valid Unicode: half of a surrogate pair stands alone; write one that it accepts",
  ],
  [
    "steps: [{ order: { phone_number: 254199999999 } }]\n",
    "r.yaml:3:34  steps[0].order.phone_number: the gateway refuses it: The phone_number 254199999999 belongs to none of the supported carriers; write one that it accepts",
  ],
  [
    "steps: [{ order: { phone_number: 254799999998, count: 3 } }]\n",
    "r.yaml:3:55  steps[0].order.count: the gateway refuses 254800000000: The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign; write one that it accepts",
  ],
  [
    "steps: [{ order: [{ phone_number: 254712000001, amount: 50 }, { phone_number: 254712000000, count: 3 }] }]\n",
    "r.yaml:3:100  steps[0].order[1].count: gives two orders at the same time the number 254712000001; write another amount for each, or place them in two steps",
  ],
])("%j has its mistake in its place, with the repair", (text, problem) => {
  const parsed = parseRehearsal(`${HEAD}${text}`, "r.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([problem]);
});

test("an inline scenario has at most as many rules as a file", () => {
  const rules = "{ name: r, then: {} }, ".repeat(501);

  const parsed = parseRehearsal(`${HEAD}scenario: { version: 1, name: x, rules: [${rules}] }\n`, "r.yaml");

  expect(parsed).toMatchObject({ problems: [{ line: 3, path: "scenario.rules", problem: "501 rules are too many" }] });
});

test("orders of one product, and numbers up to the last, are no mistake", () => {
  const steps = [
    { order: { amount: 5 } },
    { order: { operation: "sms", message: "Habari" } },
    { order: { phone_number: "254799999998", count: 2, amount: 10_000 } },
    { order: { phone_number: "254799999998", amount: 10_000 } },
    { order: [50, 60].map((amount) => ({ phone_number: "254799999998", amount })) },
    { advance: "366d" },
    { top_up: "9999999989999.99" },
  ];

  expect(parseRehearsal(`${HEAD}steps: ${JSON.stringify(steps)}`, "r.yaml")).toHaveProperty("rehearsal");
});

test.each([
  '{ version: 1, name: p, setup: { numbers: { ported: { "254199999999": airtel } } } }',
  "./ports-the-number.yaml",
])("takes a number without a carrier of its own where the scenario %s may port it", (scenario) => {
  const steps = "steps: [{ order: { phone_number: 254199999999 } }]\n";

  expect(parseRehearsal(`${HEAD}scenario: ${scenario}\n${steps}`, "r.yaml")).toHaveProperty("rehearsal");
});

test("a name is enough: one order, and the checks are always all", () => {
  expect(parseRehearsal(HEAD, "r.yaml")).toMatchObject({
    rehearsal: { steps: [{ order: [{ operation: "airtime", count: 1 }] }] },
  });
});

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(rehearsalJsonSchema(), "")).toEqual([]);
});
