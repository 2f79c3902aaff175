import fc from "fast-check";
import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { checkpointOf, snapshotOf } from "../../../src/gateway/account/snapshot.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, endScenarios, setCallbacks, swapOnAccount } from "../../../src/gateway/engine/commands.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";
import { writeOut } from "../../support/gateway/write-out.ts";

type Step =
  | { readonly do: "start"; readonly scenario: Scenario; readonly first: boolean }
  | { readonly do: "replace"; readonly was: string; readonly scenario: Scenario }
  | { readonly do: "stop"; readonly name: string | undefined }
  | { readonly do: "register" | "order" | "reset" }
  | { readonly do: "advance"; readonly by: number };

const NAMES = ["a", "b", "c"];
/** Each sets other things, and counts. */
const TEXTS = [
  "rules: [{ name: r, when: { every: 2 }, then: { result: { outcome: failed } } }]",
  "seed: 7\nrules: [{ name: r, when: { probability: 0.5 }, then: { result: { outcome: failed } } }]",
  "setup: { rate_limit: { requests: 100, per: 1h }, callbacks: { airtime: 'http://scenario.test/hook' } }",
  "setup: { sender_ids: [MFANO], numbers: { ported: { '254712345678': airtel } } }\ntimeline: [{ at: 2s, do: { sender_id: { MFANO: revoked } } }]",
  "timeline: [{ at: 0s, do: { carrier: { safaricom: down } } }, { every: 3s, do: { carrier: { safaricom: up } } }]",
  "timeline: [{ at: 1s, do: { credentials: revoked } }, { at: 4s, do: { rate_limit: none } }]",
];

const name = fc.constantFrom(...NAMES);
const scenario = fc
  .tuple(name, fc.constantFrom(...TEXTS))
  .map(([called, text]) => scenarioOf(`version: 1\nname: ${called}\n${text}`));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("start" as const), scenario, first: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("replace" as const), was: name, scenario }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("stop" as const), name: fc.option(name, { nil: undefined }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("order" as const, "register" as const) }) },
  { weight: 1, arbitrary: fc.constant({ do: "reset" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), by: fc.nat({ max: 5_000 }) }) },
);

test("whatever scenarios did, the journal and a snapshot fold to the live state, and no id comes twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });

      for (const one of steps) await take(account, one);

      const { state } = account;
      const { events } = account.journal.read();
      const snapshot = snapshotOf(checkpointOf(state), state, { later: [], count: state.transactions.size });
      const ids = events.flatMap((event) => (event.kind === "accepted" ? [event.requestId] : []));
      expect(writeOut(foldJournal(JSON.parse(JSON.stringify(events))))).toBe(writeOut(state));
      expect(foldJournal(JSON.parse(JSON.stringify([snapshot])))?.scenarios).toEqual(state.scenarios);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 40 },
  );
});

async function take(account: RunningAccount, one: Step): Promise<unknown> {
  const isActive = (called: string): boolean =>
    account.state.scenarios.some(({ scenario: running }) => running.name === called);
  switch (one.do) {
    case "start":
      return beginScenarios(account, [{ scenario: one.scenario, trusted: true, first: one.first }]);
    case "replace":
      return swapOnAccount(account, one);
    case "stop":
      return one.name === undefined || isActive(one.name) ? endScenarios(account, one.name) : undefined;
    case "register":
      return setCallbacks(account, callbacksTo("http://mine.test/hook"), ["airtime"]);
    case "order":
      return buyAirtime(account, 10);
    case "reset":
      return account.reset();
    case "advance":
      return account.advance({ by: one.by }, 1_000);
  }
}
