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
    's.yaml:7:11  rules[1] can never match, because "all refused" before it always does; move it up, or write continue: true there',
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

test.each([
  [
    "when: { amount: { gt: 100, lt: 50 } }",
    "4:32  rules[0].when.amount can never match: nothing is more than 100.00 and less than 50.00; write bounds that some number can satisfy",
  ],
  [
    "when: { balance: { eq: 5, gte: 7 } }",
    "4:33  rules[0].when.balance can never match: nothing is 5.00 and at least 7.00; write bounds that some number can satisfy",
  ],
  [
    "when: { parts: { gt: 2, lt: 3 } }",
    "4:31  rules[0].when.parts can never match: nothing is more than 2 and less than 3; write bounds that some number can satisfy",
  ],
  [
    "when: { first: 2, after: 5 }",
    "4:41  rules[0].when.after can never match: no number is first: 2, after: 5; keep one of them",
  ],
  [
    "when: { first: 2, nth: 3 }",
    "4:39  rules[0].when.nth can never match: no number is first: 2, nth: 3; keep one of them",
  ],
  [
    "when: { nth: 3, every: 2 }",
    "4:39  rules[0].when.every can never match: no number is nth: 3, every: 2; keep one of them",
  ],
  [
    "when: { first: 3, every: 4 }",
    "4:41  rules[0].when.every can never match: no number is first: 3, every: 4; keep one of them",
  ],
  [
    "when: { amount: 5, message: { contains: x } }",
    "4:32  rules[0].when.amount can never match: only airtime has an amount, and only an SMS message; write a rule for each of the two",
  ],
  [
    "when: { message: { equals: abc, contains: z } }",
    "4:58  rules[0].when.message.contains can never match: the whole text does not contain it; keep equals or contains",
  ],
])("warns that { %s } can never match", (when, warning) => {
  expect(warningsIn(oneRule(`${when}, then: { refuse: 500 }`))).toEqual([`s.yaml:${warning}`]);
});

test.each([
  "amount: { gte: 50, lte: 50 }",
  "amount: { gt: 49.99, lt: 50.01 }",
  "first: 9, after: 5",
  "first: 6, after: 5, every: 6",
  "nth: 6, every: 3, after: 5",
  "message: { equals: abc, contains: b }",
])("does not warn of { %s }", (when) => {
  expect(warningsIn(oneRule(`when: { ${when} }, then: { refuse: 500 }`))).toEqual([]);
});

test("warns of an acknowledgment that a broken connection leaves unseen, and not of one that can be read in part", () => {
  expect(warningsIn(oneRule("then: { ack: { delay: 1s, status: 500 }, connection: reset_after_accept }"))).toEqual([
    "s.yaml:4:50  rules[0].then.ack.status is never seen: the connection is broken (reset) instead; keep one of the two",
  ]);
  expect(warningsIn(oneRule("then: { ack: { status: 500 }, connection: truncate_after_accept }"))).toEqual([]);
});

function oneRule(rule: string): string {
  return `version: 1\nname: s\nrules:\n  - { name: r, ${rule} }\n`;
}

function twoRules(earlier: string, later: string): string {
  return `version: 1\nname: s\nrules:\n  - { name: a, ${earlier} }\n  - { name: b, when: ${later}, then: {} }\n`;
}

function warningsIn(text: string): string[] {
  const parsed = parseScenario(text, "s.yaml");
  return ("warnings" in parsed ? parsed.warnings : parsed.problems).map(formatProblem);
}
