import { evaluateAndExplain } from "../../../src/gateway/scenario/evaluate-and-explain.ts";
import { evaluateRules } from "../../../src/gateway/scenario/evaluate-rules.ts";
import type { NearMiss } from "../../../src/gateway/scenario/effects.ts";
import { expect, test } from "vitest";
import { describeMissed, ruleHeader } from "../../../src/gateway/account/wire.ts";
import type { RuleRequest } from "../../../src/gateway/scenario/matchers/rule-request.ts";
import { airtime, asking, NOW, running, scenarioOf, scenarioWith, sms } from "../../support/gateway/ask.ts";

const OWN = "name: own, when: { phone_number: 254712345678 }, continue: true";

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
    '{ between: { from: "15:00", to: "15:10", days: [mon, fri] } }',
    asking(sms(), { at: Date.parse("2025-01-07T06:05:59Z") }),
    "it is tue 09:05 in Africa/Nairobi, not between 15:00 and 15:10 on mon or fri",
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

test.each<[string, readonly string[], string | undefined]>([
  [
    "has the fewest differences, then the most in common",
    [
      "name: far, when: { carrier: airtel, amount: 100 }",
      "name: near, when: { amount: 100 }",
      "name: nearest, when: { carrier: safaricom, amount: 100 }",
      "name: as near, when: { carrier: safaricom, amount: 200 }",
    ],
    "nearest",
  ],
  [
    "has one difference, however much one with two has in common",
    [
      "name: near, when: { amount: 100 }",
      "name: far, when: { carrier: safaricom, phone_number: '2547*', amount: 100, balance: 5 }",
    ],
    "near",
  ],
  [
    "differs only in its count, rather than one with as much in common and a difference",
    ["name: counting, when: { carrier: safaricom, nth: 2 }", "name: other, when: { carrier: safaricom, amount: 100 }"],
    "counting",
  ],
  [
    "is the first, because every rule has an operation to name",
    ["name: first, when: { amount: 100 }", "name: a, when: { operation: airtime, amount: 200 }"],
    "first",
  ],
  ["is not for another operation", [OWN, "name: other, when: { operation: sms, sender_id: AAA }"], undefined],
  ["is not for another number", [OWN, "name: other, when: { phone_number: 254712345679 }"], undefined],
  ["was asked", ["name: b", "name: c, when: { amount: 100 }"], undefined],
])("the nearest of several rules %s", (_which, rules, nearest) => {
  const active = [running(scenarioWith(...rules.map((rule) => `${rule}, then: {}`)))];

  expect(evaluateAndExplain(active, asking(airtime())).missed?.rule).toBe(nearest);
});

test.each([
  ["{ first: 2, every: 1 }", "first"],
  ["{ first: 9, nth: 2 }", "nth"],
  ["{ first: 9, every: 2 }", "every"],
  ["{ every: 3, after: 3 }", "after"],
])("of %s names the counter that left out the third request", (when, matcher) => {
  expect(missed(`name: r, when: ${when}, then: {}`, asking(sms(), { counted: () => 2 }))?.matcher).toBe(matcher);
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

test("names a rule that is switched off", () => {
  const active = [running(scenarioWith("name: a, then: {}"), { off: ["a"] })];

  const miss = evaluateAndExplain(active, asking(sms())).missed;

  expect(miss && describeMissed(miss)).toBe("s/a: the rule is switched off");
});

test("names the rules that fired in a header, in plain ASCII", () => {
  const { fired } = evaluateRules([running(scenarioWith('name: "50% – náà", then: { refuse: 429 }'))], asking(sms()));

  expect(ruleHeader({ fired })).toBe("s/50%25 %E2%80%93 n%C3%A1%C3%A0");
});

test("cuts a header that is too long between two characters of its code", () => {
  const fired = [{ scenario: "s", rule: "\u{1f4f5}".repeat(300) }];

  const header = ruleHeader({ fired }) ?? "";

  expect(header.length).toBe(494);
  expect(decodeURIComponent(header)).toBe(`s/${"\u{1f4f5}".repeat(41)}`);
});

function missed(rule: string, ask: RuleRequest): NearMiss | undefined {
  const active = [running(scenarioWith(rule))];
  return evaluateAndExplain(active, ask).missed;
}
