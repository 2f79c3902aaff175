import fc from "fast-check";
import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { checkpointOf, snapshotOf } from "../../../src/gateway/account/snapshot.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { happen, happening } from "../../support/gateway/cut-history.ts";
import { callbacksTo, testWorld } from "../../support/gateway/world.ts";
import { writeOut } from "../../support/gateway/write-out.ts";

type Act = (account: RunningAccount) => unknown;

const register: Act = (account) => setCallbacks(account, callbacksTo("http://mine.test/hook"), ["airtime"]);
const reset: Act = (account) => account.reset();
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(register, reset) },
  {
    weight: 8,
    arbitrary: happening.map((all): Act => async (account) => {
      for (const one of all) await happen(account, one);
    }),
  },
);

test("whatever scenarios did, the journal and a snapshot fold to the live state, and no id comes twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40, size: "max" }), async (acts) => {
      const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });

      for (const one of acts) await one(account);

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
