import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../src/adapters/random/seeded-random.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { beginScenarios } from "../../src/engine/commands.ts";
import { printSavedRun, saveRun } from "../../src/account/saved-run/save-run.ts";
import { scenarioOf } from "../support/ask.ts";
import { writtenScenario } from "../support/scenario-arbitrary.ts";
import { takeAtGateway } from "../support/replayed-steps.ts";
import { anyStep, retrying, type Step } from "../support/steps.ts";
import { testWorld, type TestWorld } from "../support/world.ts";

const UNSAYABLE: readonly Step["do"][] = ["resend", "retry", "settle with a charge"];
const BY_REQUEST: readonly Step["do"][] = ["buy", "send", "refuse", "query", "advance"];

/** What is done by hand has its moment to itself: a file cannot say what came first of two things at the same one. */
const run = fc
  .array(
    anyStep.filter((step) => !UNSAYABLE.includes(step.do)),
    { maxLength: 30 },
  )
  .map((steps) =>
    steps.flatMap((step): Step[] => (BY_REQUEST.includes(step.do) ? [step] : [step, { do: "advance", by: 1 }])),
  );

const effect = fc.constantFrom(
  "refuse: 429",
  "refuse: { status: 402, description: No. }",
  "refuse: { status: 422, validation_errors: { amount: [Too much.] } }",
  "connection: reset_after_accept",
  "ack: { delay: 2s, status: 202, body: late }",
  "result: { stuck: true }",
  "result: { result_code: 404, carrier: airtel }",
  "result: { result_desc: Odd. }",
  'result: { charge: "9999", delay: { uniform: [0s, 5s] } }',
  "result: { hold_until: 4s }",
  "callback: { drop: true }",
  "callback: { times: 3, gap: { uniform: [100ms, 3s] }, contradict: true }",
  "callback: { reorder: 2, times: 2 }",
  "callback: { before_ack: true, malformed: true }",
  "callback: { delay: { lognormal: { median: 1s, sigma: 1 } }, unknown_id: true }",
  "enter: later",
);
const matcher = fc.constantFrom(
  "operation: airtime",
  "operation: sms",
  "amount: { gte: 1000 }",
  "every: 3",
  "first: 2, per: phone_number",
  "probability: 0.4",
  "in: later",
);
const action = fc.constantFrom(
  'wallet: { balance: "900.00" }',
  "sender_id: { SANDBOX: revoked }",
  "carrier: { airtel: down }",
  "carrier: { airtel: up }",
  "carrier: { safaricom: down }",
  "rate_limit: { requests: 3, per: 1m }",
);
const eventful = fc
  .record({
    rules: fc.array(fc.tuple(matcher, effect, fc.boolean()), { maxLength: 6 }),
    timeline: fc.array(fc.tuple(fc.nat({ max: 6_000 }), action), { maxLength: 4 }),
  })
  .map(({ rules, timeline }) =>
    scenarioOf(
      JSON.stringify({ version: 1, name: "s" }).replace(
        "}",
        `, seed: 77, rules: [{ name: entered, when: { operation: sms }, then: { enter: later }, continue: true }${rules
          .map(
            ([when, then, goesOn], index) =>
              `, { name: r${index}, when: { ${when} }, then: { ${then} }, continue: ${goesOn} }`,
          )
          .join("")}], timeline: [${timeline.map(([at, what]) => `{ at: ${at}ms, do: { ${what} } }`).join(", ")}] }`,
      ),
    ),
  );
const anything = writtenScenario.map((written) => scenarioOf(JSON.stringify(written)));

test.each([
  ["a scenario in which much goes wrong", eventful],
  ["any scenario", anything],
])("a run under %s, saved and begun on a fresh account, leads to the same callbacks", async (_what, scenarios) => {
  await fc.assert(
    fc.asyncProperty(scenarios, run, async (scenario, steps) => {
      const original = await play(scenario, steps);
      const saved = saveRun(original.account.read(), seededRandom());
      fc.pre(saved !== undefined && saved.omissions.length === 0);

      const replayed = await play(scenarioOf(printSavedRun(saved)), steps.map(withoutHands), "another-key");

      expect(replayed.sent.map(({ body }) => body)).toEqual(original.sent.map(({ body }) => body));
      expect(replayed.faults).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

/** In the replay the file does what was done by hand. */
function withoutHands(step: Step): Step {
  return BY_REQUEST.includes(step.do) ? step : { do: "advance", by: 0 };
}

async function play(scenario: Scenario, steps: readonly Step[], consumerKey = "sandbox-key"): Promise<TestWorld> {
  const world = testWorld({
    account: { callbacks: retrying(2), consumer_key: consumerKey, seed: consumerKey.length },
    answer: ({ body }) =>
      body.includes('"result_code":200') ? { kind: "answered", status: 200, body: "" } : { kind: "reset" },
  });
  beginScenarios(world.account, [{ scenario, trusted: true }]);
  for (const step of steps) await takeAtGateway(world.account, step);
  await world.account.advance({ by: 20_000 }, 60_000);
  return world;
}
