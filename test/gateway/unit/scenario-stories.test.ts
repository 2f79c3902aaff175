import { evaluateAndExplain, evaluateRules, explainMiss } from "../../../src/gateway/scenario/evaluate-rules.ts";
import { expect, test } from "vitest";
import { readScenario } from "../../../src/gateway/scenario/read-scenario.ts";
import { describeEffects } from "../../../src/gateway/scenario/effects.ts";
import { describeScenario } from "../../../src/gateway/scenario/describe.ts";
import { describeMissed, ruleHeader } from "../../../src/gateway/http/reply.ts";
import type { RuleRequest } from "../../../src/gateway/scenario/rule-request.ts";
import { airtime, asking, NOW, running, scenarioOf, scenarioWith, sms } from "../../support/gateway/ask.ts";

test.each([
  ["{ amount: { gte: 100 } }", asking(airtime()), "amount is 50.00, not at least 100.00"],
  ["{ amount: { gt: 10, lt: 20 } }", asking(airtime()), "amount is 50.00, not more than 10.00 and less than 20.00"],
  ["{ amount: 60 }", asking(airtime()), "amount is 50.00, not 60.00"],
  ["{ amount: 60 }", asking(sms()), "amount is missing, because this operation has none"],
  ['{ phone_number: "25473*" }', asking(sms()), "phone_number is 254712345678, not 25473*"],
  ["{ carrier: [airtel, telkom] }", asking(airtime()), "carrier is safaricom, not airtel or telkom"],
  ["{ balance: { lte: 5 } }", asking(sms()), "balance is 1000.00, not at most 5.00"],
  [
    "{ message: { equals: Karibu, contains: ibu } }",
    asking(sms()),
    'message is "Habari", not "Karibu" and containing "ibu"',
  ],
  ["{ sender_id: [AAA, BBB, CCC, DDD] }", asking(sms()), "sender_id is SANDBOX, not one of 4"],
  ["{ parts: { gt: 1 } }", asking(sms()), "parts is 1, not more than 1"],
  ["{ probability: 0.1 }", asking(sms()), "the draw was not among the 0.1 that the rule takes"],
  [
    "{ during: { from: 10s, to: 20s } }",
    asking(sms(), { at: NOW + 1_000 }),
    "the scenario is at 1s, not between 10s and 20s",
  ],
  ["{ during: { from: 10s } }", asking(sms()), "the scenario is at 0ms, not past 10s"],
  [
    "{ first: 2, per: phone_number }",
    asking(sms(), { counted: () => 2 }),
    "this is number 3 for the rule and this phone_number, not first: 2",
  ],
  ["{ nth: 2, per: sender_id }", asking(airtime()), "sender_id is missing, because this operation has none"],
])("says that %s did not match because of how the request differs", (when, ask, difference) => {
  expect(missed(`name: r, when: ${when}, then: { refuse: 500 }`, ask)?.difference).toBe(difference);
});

test("says which state the scenario is in", () => {
  const active = [
    running(
      scenarioWith(
        "name: r, when: { in: late }, then: { refuse: 500 }",
        "name: q, when: { operation: airtime }, then: { enter: late }",
      ),
    ),
  ];

  expect(explainMiss(active, asking(sms()), evaluateRules(active, asking(sms())))).toEqual({
    scenario: "s",
    rule: "r",
    matcher: "in",
    difference: "the scenario is in start, not in late",
  });
});

test("of several rules the nearest is the one with the fewest differences, then the most in common", () => {
  const rules = [
    "name: far, when: { carrier: airtel, amount: 100 }, then: {}",
    "name: near, when: { amount: 100 }, then: {}",
    "name: nearest, when: { carrier: safaricom, amount: 100 }, then: {}",
    "name: as near, when: { carrier: safaricom, amount: 200 }, then: {}",
  ];

  const active = [running(scenarioWith(...rules))];

  expect(explainMiss(active, asking(airtime()), evaluateRules(active, asking(airtime())))).toMatchObject({
    rule: "nearest",
    matcher: "amount",
  });
});

test("rules that were not asked and rules about other numbers are not near", () => {
  const active = [
    running(
      scenarioWith(
        "name: a, when: { phone_number: 254700000401 }, then: {}",
        "name: b, then: {}",
        "name: c, when: { operation: sms, parts: 2 }, then: {}",
      ),
    ),
  ];

  expect(explainMiss(active, asking(sms()), evaluateRules(active, asking(sms())))).toBeUndefined();
});

test("says that a rule is switched off", () => {
  const active = [running(scenarioWith("name: a, then: {}"), { off: ["a"] })];

  const miss = explainMiss(active, asking(sms()), evaluateRules(active, asking(sms())));

  expect(miss && describeMissed(miss)).toBe("s/a: the rule is switched off");
});

test.each([
  ["refuse: 429", "refused with 429"],
  ["refuse: { status: 500, body: x }", "refused with 500 and a scripted body"],
  [
    "ack: { delay: { uniform: [2s, 6s] }, status: 503, body: x }",
    "acknowledged after 2s to 6s, with 503, with a scripted body",
  ],
  ["ack: { delay: { lognormal: { median: 2s, sigma: 1 } } }", "acknowledged after about 2s"],
  ["connection: hang_before_accept", "connection broken (hang) before acceptance"],
  ["connection: reset_after_accept", "connection broken (reset) after acceptance"],
  [
    "result: { result_code: 403, result_desc: No, delay: 1s, carrier: airtel, charge: 2 }",
    'result 403, described as "No", served by airtel, charged 2.00, result after 1s',
  ],
  ["result: { stuck: true }", "never settles"],
  ["result: { hold_until: 30s }", "result held until 30s"],
  ["callback: { drop: true }", "callback never sent"],
  [
    "callback: { times: 2, gap: 500ms, contradict: true }",
    "callback sent 2 times, 500ms apart, contradicting the first",
  ],
  ["callback: { delay: 1h, reorder: 2 }", "callback late by 1h, after the next 2"],
  ["callback: { before_ack: true, malformed: true }", "callback before the acknowledgment, with malformed JSON"],
  [
    "callback: { unknown_id: true, wrong_content_type: true, slow_drip: true, disconnect: true }",
    "callback with an unknown request_id, with a wrong content type, byte by byte, cut off in the middle",
  ],
  ["callback: { times: 1, drop: false }", "callback as usual"],
  ["enter: outage, refuse: 500", "refused with 500; enters outage"],
  ["", "nothing"],
])("tells { %s } in one line", (then, told) => {
  const [rule] = readScenario(scenarioWith(`name: r, then: { ${then} }`)).rules;

  expect(rule && describeEffects(rule.then)).toBe(told);
});

test("tells what fired in a header, in plain ASCII", () => {
  const { fired } = evaluateRules([running(scenarioWith('name: "50% – náà", then: { refuse: 429 }'))], asking(sms()));

  expect(ruleHeader({ fired })).toBe("s/50%25 %E2%80%93 n%C3%A1%C3%A0");
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

test.each([
  ["version: 1\nname: s\ndescription: >\n  It rains\n  all day.\n", "It rains all day."],
  [
    "version: 1\nname: s\nrules: [{ name: a, then: {} }, { name: b, when: { first: 1 }, then: {} }]\ntimeline: [{ at: 1s, do: { enter: x } }]",
    "a; b; 1 step on its timeline",
  ],
  ["version: 1\nname: s", "changes nothing"],
])("tells a scenario in one line", (text, told) => {
  expect(describeScenario(scenarioOf(text))).toBe(told);
});

function missed(rule: string, ask: RuleRequest): ReturnType<typeof explainMiss> {
  const active = [running(scenarioWith(rule))];
  return explainMiss(active, ask, evaluateRules(active, ask));
}
