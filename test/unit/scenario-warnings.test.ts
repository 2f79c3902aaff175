import { expect, test } from "vitest";
import { formatProblem } from "../../src/document/problem.ts";
import { parseScenario } from "../../src/scenario/parse-scenario.ts";

test("warns of a rule that an earlier one leaves nothing, at its name", () => {
  const text = `version: 1
name: s
rules:
  - name: all refused
    when: { operation: sms }
    then: { refuse: 500 }
  - name: never
    when: { operation: sms, sender_id: SANDBOX }
    then: { refuse: 429 }
`;

  expect(warningsIn(text)).toEqual([
    's.yaml:7:11  rules[1]: can never match, because "all refused" before it always does; move it up, or write continue: true there',
  ]);
});

test.each([
  ["{}", "{ phone_number: 254712345678, nth: 2 }"],
  ["{}", "{ operation: airtime }"],
  ["{ probability: 1 }", "{ probability: 0.5 }"],
  ["{ operation: [airtime, sms, account-details] }", "{ operation: account-details }"],
  ['{ phone_number: "2547*" }', '{ phone_number: ["25471*", 254722345678] }'],
  ['{ phone_number: "*" }', '{ phone_number: "*7*" }'],
  ["{ carrier: [airtel, telkom] }", "{ carrier: airtel, amount: 50 }"],
  ["{ amount: { gte: 100 } }", "{ amount: { gt: 99.99 } }"],
  ["{ amount: { gte: 100, lt: 200 } }", "{ amount: 150 }"],
  ["{ balance: { lt: 100 } }", "{ balance: { lte: 99.99 } }"],
  ["{ parts: { gte: 2 } }", "{ parts: { gt: 1, lt: 9 } }"],
  ["{ message: { contains: TP } }", "{ message: { contains: OTP, regex: '^O' } }"],
  ["{ message: { regex: '^O' } }", "{ message: { regex: '^O' } }"],
  ["{ encoding: ucs2 }", "{ encoding: UCS-2 }"],
  ["{ sender_id: [SANDBOX, 20254] }", "{ sender_id: 20254 }"],
  ["{ header: { X-A: a* } }", "{ header: { x-a: ab, X-B: c } }"],
  ["{ during: { to: 1m } }", "{ during: { from: 1s, to: 1m } }"],
  ["{ in: start }", "{ in: start, first: 1 }"],
])("%s leaves nothing for %s", (earlier, later) => {
  expect(warningsIn(twoRules(`when: ${earlier}, then: {}`, later))).toHaveLength(1);
});

test.each([
  ["when: {}, then: {}, continue: true", "{}"],
  ["when: { first: 1 }, then: {}", "{}"],
  ["when: { probability: 0.9 }, then: {}", "{}"],
  ["when: {}, then: {}", "{ operation: account-details }"],
  ["when: { operation: airtime }, then: {}", "{}"],
  ['when: { phone_number: "25471*" }, then: {}', '{ phone_number: "2547*" }'],
  ["when: { phone_number: 254712345678 }, then: {}", '{ phone_number: ["254712345678", "254712345679"] }'],
  ["when: { carrier: airtel }, then: {}", "{ carrier: [airtel, telkom] }"],
  ["when: { amount: { gt: 100 } }, then: {}", "{ amount: { gte: 100 } }"],
  ["when: { amount: { lt: 100 } }, then: {}", "{}"],
  ["when: { message: { contains: OTP } }, then: {}", "{ message: { contains: TP } }"],
  ["when: { message: { regex: a } }, then: {}", "{ message: { contains: a } }"],
  ["when: { encoding: gsm7 }, then: {}", "{ encoding: ucs2 }"],
  ["when: { header: { X-A: ab } }, then: {}", "{ header: { X-A: a* } }"],
  ["when: { during: { to: 1m } }, then: {}", "{ during: { to: 2m } }"],
  ["when: { during: { from: 0s, to: 1m } }, then: {}", "{ during: { from: 30s } }"],
  ["when: { in: start }, then: { enter: late }", "{ in: late }"],
])("{ %s } leaves something for %s", (earlier, later) => {
  expect(warningsIn(twoRules(earlier, later))).toEqual([]);
});

test("a rule that the timeline switches leaves something for later ones", () => {
  const text = `${twoRules("then: {}", "{}")}timeline:\n  - { at: 1m, do: { rule: { a: off } } }\n`;

  expect(warningsIn(text)).toEqual([]);
});

function twoRules(earlier: string, later: string): string {
  return `version: 1\nname: s\nrules:\n  - { name: a, ${earlier} }\n  - { name: b, when: ${later}, then: {} }\n`;
}

function warningsIn(text: string): string[] {
  const parsed = parseScenario(text, "s.yaml");
  return ("warnings" in parsed ? parsed.warnings : parsed.problems).map(formatProblem);
}
