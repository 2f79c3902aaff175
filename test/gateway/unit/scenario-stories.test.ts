import { evaluateAndExplain } from "../../../src/gateway/scenario/evaluate-and-explain.ts";
import { evaluateRules } from "../../../src/gateway/scenario/evaluate-rules.ts";
import type { NearMiss } from "../../../src/gateway/scenario/effects.ts";
import { expect, test } from "vitest";
import { describeMissed, ruleHeader } from "../../../src/gateway/account/wire.ts";
import type { RuleRequest } from "../../../src/gateway/scenario/matchers/rule-request.ts";
import { airtime, asking, NOW, running, scenarioOf, scenarioWith, sms } from "../../support/gateway/ask.ts";

test.each([
  ["{ amount: { gte: 100 } }", asking(airtime()), "amount is 50.00, not at least 100.00"],
  ["{ amount: { gt: 10, lt: 20 } }", asking(airtime()), "amount is 50.00, not more than 10.00 and less than 20.00"],
  ["{ amount: 60 }", asking(airtime()), "amount is 50.00, not 60.00"],
  ["{ amount: 60 }", asking(sms()), "amount is missing, because this operation has none"],
  ['{ phone_number: "25473*" }', asking(sms()), "phone_number is 254712345678, not 25473*"],
  ["{ carrier: [airtel, telkom] }", asking(airtime()), "carrier is safaricom, not airtel or telkom"],
  ["{ balance: { lte: 5 } }", asking(sms()), "balance is 1000.00, not at most 5.00"],
  ["{ sender_id: [AAA, BBB, CCC] }", asking(sms()), "sender_id is SANDBOX, not AAA or BBB or CCC"],
  ["{ sender_id: [AAA, BBB, CCC, DDD] }", asking(sms()), "sender_id is SANDBOX, not one of 4"],
  ["{ probability: 0.1 }", asking(sms()), "the draw was not among the 0.1 that the rule takes"],
  [
    "{ during: { from: 10s, to: 20s } }",
    asking(sms(), { at: NOW + 1_000 }),
    "the scenario is at 1s, not between 10s and 20s",
  ],
  ["{ during: { from: 10s } }", asking(sms()), "the scenario is at 0ms, not past 10s"],
  ["{ during: { to: 5s } }", asking(sms(), { at: NOW + 5_000 }), "the scenario is at 5s, not between 0ms and 5s"],
  [
    '{ between: { from: "15:00", to: "15:10" } }',
    asking(sms(), { at: Date.parse("2025-01-07T06:05:59Z") }),
    "it is tue 09:05 in Africa/Nairobi, not between 15:00 and 15:10",
  ],
  ["{ not: { carrier: safaricom, operation: sms } }", asking(sms()), "its operation and carrier are excluded by `not`"],
  [
    "{ first: 2, per: phone_number }",
    asking(sms(), { counted: () => 2 }),
    "this is number 3 for the rule and this phone_number, not first: 2",
  ],
  [
    "{ after: 1, every: 3 }",
    asking(sms(), { counted: () => 1 }),
    "this is number 2 for the rule, not every: 3, after: 1",
  ],
  ["{ nth: 2, per: sender_id }", asking(airtime()), "sender_id is missing, because this operation has none"],
])("says that %s did not match because of how the request differs", (when, ask, difference) => {
  expect(missed(`name: r, when: ${when}, then: { refuse: 500 }`, ask)?.difference).toBe(difference);
});

test("of several rules the nearest is the one with the fewest differences, then the most in common", () => {
  const rules = [
    "name: far, when: { carrier: airtel, amount: 100 }, then: {}",
    "name: near, when: { amount: 100 }, then: {}",
    "name: nearest, when: { carrier: safaricom, amount: 100 }, then: {}",
    "name: as near, when: { carrier: safaricom, amount: 200 }, then: {}",
  ];

  const active = [running(scenarioWith(...rules))];

  expect(evaluateAndExplain(active, asking(airtime())).missed).toMatchObject({
    rule: "nearest",
    matcher: "amount",
  });
});

test("a rule with one difference is nearer than one with two, however much that has in common", () => {
  const rules = [
    "name: near, when: { amount: 100 }, then: {}",
    "name: far, when: { carrier: safaricom, phone_number: '2547*', amount: 100, balance: 5 }, then: {}",
  ];

  const active = [running(scenarioWith(...rules))];

  expect(evaluateAndExplain(active, asking(airtime())).missed?.rule).toBe("near");
});

test("a rule of which only the count differs is nearer than one with as much in common and a difference", () => {
  const rules = [
    "name: counting, when: { carrier: safaricom, nth: 2 }, then: {}",
    "name: other, when: { carrier: safaricom, amount: 100 }, then: {}",
  ];

  const active = [running(scenarioWith(...rules))];

  expect(evaluateAndExplain(active, asking(airtime())).missed?.rule).toBe("counting");
});

test.each([
  ["{ first: 2, every: 1 }", "first"],
  ["{ first: 9, nth: 2 }", "nth"],
  ["{ first: 9, every: 2 }", "every"],
  ["{ every: 3, after: 3 }", "after"],
])("of %s names the counter that left out the third request", (when, matcher) => {
  expect(missed(`name: r, when: ${when}, then: {}`, asking(sms(), { counted: () => 2 }))?.matcher).toBe(matcher);
});

test.each([
  ["another operation", "operation: sms, sender_id: AAA"],
  ["another number, even if one rule is for this", "phone_number: 254712345679"],
])("a rule for %s is not near", (_what, when) => {
  const rules = [
    "name: own, when: { phone_number: 254712345678 }, then: {}, continue: true",
    `name: other, when: { ${when} }, then: {}`,
  ];

  expect(evaluateAndExplain([running(scenarioWith(...rules))], asking(airtime())).missed).toBeUndefined();
});

test("a rule of the same name in another scenario has not fired with it", () => {
  const one = scenarioOf("version: 1\nname: one\nrules: [{ name: r, when: { amount: { lt: 1 } }, then: {} }]");
  const two = scenarioOf("version: 1\nname: two\nrules: [{ name: r, when: { amount: { gte: 1 } }, then: {} }]");
  const active = [running(one), running(two)];

  expect(evaluateAndExplain(active, asking(airtime()))).toMatchObject({
    fired: [{ scenario: "two" }],
    missed: { scenario: "one", rule: "r", matcher: "amount" },
  });
});

test("a rule is no nearer for naming the operation, which every rule has", () => {
  const rules = [
    "name: first, when: { amount: 100 }, then: {}",
    "name: a, when: { operation: airtime, amount: 200 }, then: {}",
  ];

  const active = [running(scenarioWith(...rules))];

  expect(evaluateAndExplain(active, asking(airtime())).missed?.rule).toBe("first");
});

test("of two scenarios the nearest rule may be in the later one, and rules behind the one that fired do not count", () => {
  const first = running(
    scenarioOf(`version: 1\nname: one\nrules: [{ name: far, when: { carrier: airtel, amount: 1 }, then: {} }]`),
  );
  const second = running(
    scenarioOf(
      "version: 1\nname: two\nrules: [{ name: near, when: { amount: 1 }, then: {} }, { name: far, then: {} }, { name: behind, when: { carrier: safaricom, amount: 1 }, then: {} }]",
    ),
  );

  expect(evaluateAndExplain([first, second], asking(airtime())).missed).toMatchObject({
    scenario: "two",
    rule: "near",
  });
});

test("rules that were not asked and rules about other numbers are not near", () => {
  const active = [
    running(
      scenarioWith(
        "name: a, when: { phone_number: 254700000401 }, then: {}",
        "name: b, then: {}",
        "name: c, when: { operation: sms, sender_id: AAA }, then: {}",
      ),
    ),
  ];

  expect(evaluateAndExplain(active, asking(sms())).missed).toBeUndefined();
});

test("says that a rule is switched off", () => {
  const active = [running(scenarioWith("name: a, then: {}"), { off: ["a"] })];

  const miss = evaluateAndExplain(active, asking(sms())).missed;

  expect(miss && describeMissed(miss)).toBe("s/a: the rule is switched off");
});

test("tells what fired in a header, in plain ASCII", () => {
  const { fired } = evaluateRules([running(scenarioWith('name: "50% – náà", then: { refuse: 429 }'))], asking(sms()));

  expect(ruleHeader({ fired })).toBe("s/50%25 %E2%80%93 n%C3%A1%C3%A0");
});

test("cuts a header that is too long between two characters of its code", () => {
  const fired = [{ scenario: "s", rule: "\u{1f4f5}".repeat(300) }];

  const header = ruleHeader({ fired }) ?? "";

  expect(header.length).toBe(494);
  expect(decodeURIComponent(header)).toBe(`s/${"\u{1f4f5}".repeat(41)}`);
});

test("tells in a header which rule was nearest, and how the request differs from what it wants", () => {
  const active = [
    running(
      scenarioWith("name: late, then: {}, continue: true", "name: big, when: { amount: { gte: 100 } }, then: {}"),
    ),
  ];
  const asked = asking(airtime());

  const decision = evaluateAndExplain(active, asked);

  expect(ruleHeader(decision)).toBe("s/late | not s/big: amount is 50.00, not at least 100.00");
});

test("has no header where no rule was about a request", () => {
  expect(ruleHeader({ fired: [] })).toBeUndefined();
});

function missed(rule: string, ask: RuleRequest): NearMiss | undefined {
  const active = [running(scenarioWith(rule))];
  return evaluateAndExplain(active, ask).missed;
}
