import { expect, test } from "vitest";
import { findHidden } from "../../src/scenario/find-unreachable.ts";
import { parseScenario } from "../../src/scenario/parse-scenario.ts";
import type { Scenario } from "../../src/scenario/schema.ts";

test.each([
  ["{}", "{ carrier: airtel, first: 2 }"],
  ["{ operation: sms }", "{ operation: sms, in: start }"],
  ['{ phone_number: "2547*" }', "{ phone_number: 254712345678, during: { to: 1m } }"],
])("a scenario with a rule for %s leaves nothing for one with %s", (earlier, later) => {
  const hidden = findHidden([read("a", rule("all", earlier)), read("b", rule("some", later))]);

  expect(hidden).toEqual([
    {
      scenario: 1,
      problem: 'no rule of "b" can ever match, because "all" of "a" before it always does',
      repair: 'start "b" before "a", or write continue: true there',
    },
  ]);
});

test("one rule for each operation hides a scenario together, and more scenarios than one", () => {
  const [airtime, sms] = [rule("airtime", "{ operation: airtime }"), rule("sms", "{ operation: sms }")];

  const hidden = findHidden([read("a", airtime), read("b", sms), read("c", `${airtime}${sms}`), read("d", airtime)]);

  expect(hidden.map(({ scenario }) => scenario)).toEqual([2, 3]);
});

test.each([
  [rule("all", "{ probability: 0.9 }"), rule("some", "{}")],
  [rule("all", "{ first: 3 }"), rule("some", "{}")],
  [rule("all", "{ in: start }"), rule("some", "{ in: start }")],
  [rule("all", "{ during: { to: 1h } }"), rule("some", "{ during: { to: 1h } }")],
  [
    rule("all", "{ operation: sms }"),
    `${rule("some", "{ operation: sms }")}${rule("others", "{ operation: airtime }")}`,
  ],
  [`${rule("all", "{}")}    continue: true\n`, rule("some", "{}")],
  [`${rule("all", "{}")}timeline:\n  - { at: 1m, do: { rule: { all: off } } }\n`, rule("some", "{}")],
])("case %#: something is left for a later scenario", (earlier, later) => {
  expect(findHidden([read("a", earlier), read("b", later)])).toEqual([]);
});

test("a scenario without rules, and the default one, are never hidden", () => {
  const everything = rule("all", "{}");

  const hidden = findHidden([read("a", everything), read("b", ""), read("magic-numbers", everything)]);

  expect(hidden).toEqual([]);
});

function rule(name: string, when: string): string {
  return `  - name: ${name}\n    when: ${when}\n    then: { refuse: 500 }\n`;
}

function read(name: string, rules: string): Scenario {
  const parsed = parseScenario(`version: 1\nname: ${name}\n${rules === "" ? "" : `rules:\n${rules}`}`, `${name}.yaml`);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.scenario;
}
