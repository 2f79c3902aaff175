import { evaluateAndExplain } from "../../src/scenario/evaluate-rules.ts";
import { expect, test } from "vitest";
import { parseScenario } from "../../src/scenario/parse-scenario.ts";
import { asking, running, scenarioWith, sms } from "../support/ask.ts";
import { HOOK, rule, scriptedWorld } from "../support/scripted.ts";
import { buyAirtime, callbacksTo, testWorld } from "../support/world.ts";

test.each([
  ["the whole text", "Habari", 1],
  ["a longer text", "Habari yako", 0],
  ["other letters", "habari", 0],
])("message.equals is about %s or not", (_what, message, fired) => {
  const scenario = scenarioWith("name: r, when: { message: { equals: Habari } }, then: { refuse: 429 }");

  const decision = evaluateAndExplain([running(scenario)], asking(sms({ message })));

  expect(decision.fired).toHaveLength(fired);
});

test("sendings says when each callback goes, counted from the result", async () => {
  const { account } = await scriptedWorld(rule("then: { callback: { sendings: [0s, 700ms, 5s], contradict: true } }"));
  const { at } = buyAirtime(account, 100);

  const { fired } = await account.advance({ by: 60_000 }, 1_000);

  expect(fired.map((attempt) => [attempt.at - at, attempt.scripted])).toEqual([
    [1_000, {}],
    [1_700, { contradict: true }],
    [6_000, { contradict: true }],
  ]);
});

test("an identity names requests as the account did whose run is repeated, before any seed", async () => {
  const { account } = testWorld({ account: { seed: 5, consumer_key: "there", callbacks: callbacksTo(HOOK) } });
  const other = await scriptedWorld("seed: 9\nsetup: { identity: { seed: 5, account: there } }");

  const ids = [buyAirtime(account, 100), buyAirtime(other.account, 100)].map(({ requestId }) => requestId);

  expect(ids[1]).toBe(ids[0]);
});

test.each([
  ["{ sendings: [0s, 1s], times: 2 }", "has no effect together with sendings, which sets every delivery"],
  ["{ sendings: [2s, 1s] }", "goes back in time"],
  ["{ sendings: [1s], before_ack: true }", "starts later than before_ack, which sends at acceptance"],
  ["{ sendings: [1s], contradict: true }", "needs a second delivery to contradict the first"],
])("the callback effect %s is refused", (callback, problem) => {
  const parsed = parseScenario(`version: 1\nname: s\nrules: [{ name: r, then: { callback: ${callback} } }]`, "s.yaml");

  expect(parsed).toMatchObject({ problems: [{ problem }] });
});
