import { expect, test } from "vitest";
import { cents, shareOfKes } from "../../../src/gateway/domain/kes.ts";
import { evaluateRules } from "../../../src/gateway/scenario/evaluate-rules.ts";
import { airtime, asking, running, scenarioWith, sms } from "../../support/gateway/ask.ts";

function firesAt(when: string, at: string): boolean {
  const scenario = scenarioWith(`name: r, when: { ${when} }, then: { refuse: 500 }`);
  return evaluateRules([running(scenario)], asking(airtime(), { at: Date.parse(at) })).fired.length > 0;
}

test.each([
  ['between: { from: "15:00", to: "15:10" }', "2025-01-06T15:00:00+03:00", true],
  ['between: { from: "15:00", to: "15:10" }', "2025-01-06T15:09:59+03:00", true],
  ['between: { from: "15:00", to: "15:10" }', "2025-01-06T15:10:00+03:00", false],
  ['between: { from: "15:00", to: "15:10" }', "2025-01-06T15:05:00Z", false],
  ['between: { from: "09:00", to: "17:00", days: [mon, fri] }', "2025-01-06T12:00:00+03:00", true],
  ['between: { from: "09:00", to: "17:00", days: [mon, fri] }', "2025-01-07T12:00:00+03:00", false],
  ['between: { from: "09:00", to: "17:00", days: fri }', "2025-01-10T12:00:00+03:00", true],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-11T01:00:00+03:00", true],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-10T01:00:00+03:00", false],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-10T22:00:00+03:00", true],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-11T22:00:00+03:00", false],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-11T01:59:59+03:00", true],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-11T02:00:00+03:00", false],
  ['between: { from: "22:00", to: "02:00", days: fri }', "2025-01-11T12:00:00+03:00", false],
  ['between: { from: "22:00", to: "02:00", days: sun }', "2025-01-13T01:00:00+03:00", true],
  ['between: { from: "00:00", to: "24:00" }', "2025-01-10T23:59:59+03:00", true],
])("%s at %s: %s", (when, at, isMatch) => {
  expect(firesAt(when, at)).toBe(isMatch);
});

test.each([
  ["not: { carrier: airtel }", airtime({ carrier: "airtel" }), false],
  ["not: { carrier: airtel }", airtime({ carrier: "telkom" }), true],
  ["not: { carrier: [airtel, telkom] }", airtime({ carrier: "telkom" }), false],
  ["not: { carrier: airtel, amount: { gte: 100 } }", airtime({ carrier: "airtel", amount: "50" }), true],
  ["not: { carrier: airtel, amount: { gte: 100 } }", airtime({ carrier: "airtel", amount: "100" }), false],
  ["not: { operation: sms }", sms(), false],
])("when %s", (when, subject, isMatch) => {
  const scenario = scenarioWith(`name: r, when: { ${when} }, then: { refuse: 500 }`);

  expect(evaluateRules([running(scenario)], asking(subject)).fired).toHaveLength(Number(isMatch));
});

test("`of` counts every SMS, and the rule takes the seventh only if it matches", () => {
  const scenario = scenarioWith(
    "name: r, when: { carrier: safaricom, every: 7, of: { operation: sms } }, then: { refuse: 500 }",
  );
  const asked = (subject: ReturnType<typeof sms>, count: number) =>
    evaluateRules([running(scenario)], asking(subject, { counted: () => count }));

  const decisions = [asked(sms(), 6), asked({ ...sms(), carrier: "airtel" }, 6), asked(sms(), 5), asked(airtime(), 6)];

  expect(decisions.map(({ fired, counters }) => [fired.length, counters.length])).toEqual([
    [1, 1],
    [0, 1],
    [0, 1],
    [0, 0],
  ]);
});

const details = { operation: "account-details" } as const;

test.each([
  ["operation: airtime, after: 2, of: { operation: [airtime, sms] }", airtime(), sms()],
  ["after: 2, of: { operation: [sms, account-details] }", sms(), details],
  ["operation: sms, after: 2, of: { carrier: safaricom }", sms(), airtime()],
  ["phone_number: 254733000111, after: 2, of: { operation: sms }", sms({ to: "254733000111" }), sms()],
])("a rule with %s counts two kinds of requests and takes one", (when, taken, onlyCounted) => {
  const scenario = scenarioWith(`name: r, when: { ${when} }, then: { refuse: 500 }`);

  const decisions = [taken, onlyCounted].map((subject) =>
    evaluateRules([running(scenario)], asking(subject, { counted: () => 6 })),
  );

  expect(decisions.map(({ fired, counters }) => [fired.length, counters])).toEqual([
    [1, ["s/r"]],
    [0, ["s/r"]],
  ]);
});

test.each([
  [100, 5_000, 50],
  [95, 3_333, 32],
  [1, 5_000, 1],
  [999_999_999_999_999, 10_000, 999_999_999_999_999],
  [1_000, 0, 0],
])("of %i cents, %i hundredths of a percent are %i", (amount, share, cut) => {
  expect(shareOfKes(cents(amount), share)).toBe(cut);
});
