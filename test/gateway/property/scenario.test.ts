import { evaluateAndExplain } from "../../../src/gateway/scenario/evaluate-and-explain.ts";
import { evaluateRules } from "../../../src/gateway/scenario/evaluate-rules.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { writeYaml } from "../../../src/gateway/document/write-yaml.ts";
import type { RuleRequest } from "../../../src/gateway/scenario/matchers/rule-request.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { readScenario, wrongInScenario } from "../../../src/gateway/scenario/read-scenario.ts";
import { airtime, asking, NOW, running, scenarioOf, scenarioWith, sms } from "../../support/gateway/ask.ts";
import { writtenScenario } from "../../support/gateway/scenario-arbitrary.ts";

const asks = fc
  .record({
    subject: fc.oneof(
      fc
        .record({ to: fc.constantFrom("254712345678", "254733000111"), amount: fc.constantFrom("5", "50", "500") })
        .map(airtime),
      fc.record({ message: fc.constantFrom("OTP 1234", "a"), from: fc.constantFrom("SANDBOX", "20254") }).map(sms),
      fc.constant({ operation: "account-details" } as const),
    ),
    later: fc.integer({ min: 0, max: 86_400_000 }),
    drawn: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    count: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ subject, later, drawn, count }): RuleRequest =>
    asking(subject, {
      at: NOW + later,
      draws: { uuid: () => "", draw: () => drawn },
      counted: () => count,
    }),
  );

test("every scenario that is accepted is read alike from a file and from a journal, which is JSON", () => {
  fc.assert(
    fc.property(writtenScenario, (written) => {
      const scenario = scenarioOf(writeYaml(written));
      const journalled = JSON.parse(JSON.stringify(scenario));

      expect(journalled).toEqual(scenario);
      expect(wrongInScenario(journalled)).toBeUndefined();
      expect(readScenario(journalled)).toEqual(readScenario(scenario));
      expect(scenarioOf(writeYaml(scenario))).toEqual(scenario);
      expect(scenarioOf(JSON.stringify(written, null, "\t"))).toEqual(scenario);
    }),
  );
});

test("no rule fires after one that decides, what is set first stays, and whatever fired is not missed", () => {
  fc.assert(
    fc.property(writtenScenario, asks, (written, ask) => {
      const scenario = scenarioOf(writeYaml(written));
      const active = [running(scenario)];

      const decision = evaluateRules(active, ask);

      const names = decision.fired.map(({ rule }) => rule);
      const decisive = readScenario(scenario).rules.filter(
        ({ name, continue: goesOn }) => names.includes(name) && !goesOn,
      );
      expect(decisive.map(({ name }) => name)).toEqual(decisive.length === 0 ? [] : names.slice(-1));
      expect(decision.effects).toEqual(Object.assign({}, ...decision.fired.map(({ effects }) => effects).reverse()));
      expect(names).not.toContain(evaluateAndExplain(active, ask).missed?.rule);
    }),
  );
});

test("a rule that is switched off is as good as not there", () => {
  fc.assert(
    fc.property(writtenScenario, asks, fc.nat(), (written, ask, pick) => {
      const scenario = scenarioOf(writeYaml(written));
      const { rules = [], timeline = [] } = scenario;
      const name = rules[pick % Math.max(1, rules.length)]?.name ?? "";
      const without = {
        ...scenario,
        rules: rules.filter((rule) => rule.name !== name),
        timeline: timeline.filter((step) => step.do.rule?.[name] === undefined),
      };

      expect(evaluateRules([running(scenario, { off: [name] })], ask)).toEqual(evaluateRules([running(without)], ask));
    }),
  );
});

test("a probability of 0 never fires, 1 always, and any other by the draw", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (drawn, share) => {
        const ask = asking(sms(), { draws: { uuid: () => "", draw: () => drawn } });

        const fired = [0, 1, share].map(
          (probability) => evaluateRules([running(withProbability(probability))], ask).fired.length,
        );

        expect(fired).toEqual([0, 1, drawn < share ? 1 : 0]);
      },
    ),
  );
});

test("whatever is written, a scenario is read or every mistake has a place in the text", () => {
  fc.assert(
    fc.property(
      writtenScenario,
      fc.nat(),
      fc.constantFrom("", "x", "\t", "[", "{", "'", "!a ", "- ", ": ", "0"),
      (written, place, noise) => {
        const text = writeYaml(written);
        const at = place % text.length;
        const broken = text.slice(0, at) + noise + text.slice(at + 1);

        const parsed = parseScenario(broken, "s.yaml");

        const places = "problems" in parsed ? parsed.problems : [];
        expect("scenario" in parsed || places.length > 0).toBe(true);
        expect(places.filter(({ line, column }) => line < 1 || column < 1 || line > broken.split("\n").length)).toEqual(
          [],
        );
      },
    ),
  );
});

function withProbability(probability: number): ReturnType<typeof scenarioWith> {
  return scenarioWith(`name: r, when: { probability: ${probability} }, then: { refuse: 500 }`);
}
