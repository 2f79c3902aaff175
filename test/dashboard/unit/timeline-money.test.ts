import { expect, test } from "vitest";
import { entryOfEach } from "../../../src/dashboard/views/account/ledger-words.ts";
import { type EntryKind, readLedger } from "../../../src/gateway/account/readings/ledger.ts";
import { readTimeline } from "../../../src/gateway/account/readings/timeline.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

test("a timeline leaves out what happened to other orders", async () => {
  const { account } = testWorld();
  const { requestId } = buyAirtime(account, 10);
  buyAirtime(account, 20);
  await account.advance({ by: 1_000 }, 1_000);
  const transaction = account.state.transactions.get(requestId);

  const entries = transaction && readTimeline(transaction, account.journal.read().events, { limit: 3_000 });

  expect(entries?.map(({ event }) => event)).toEqual(["accepted", "settled"]);
});

test.each<[then: string, said: string, isUnderUnreadId: boolean]>([
  ["{ callback: { unknown_id: true } }", "Callback 1 said: unknown id", false],
  ["{ connection: reset_after_accept }", "Callback 1 said: delivered, result 200", true],
  ["{ connection: reset_after_accept, callback: { unknown_id: true } }", "Callback 1 said: unknown id", false],
])("tells an id that nobody was given from one that its client never got: %s", async (then, said, isUnderUnreadId) => {
  const { account } = await scriptedWorld(rule(`then: ${then}`));
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 5_000 }, 1_000);
  const transaction = account.state.transactions.get(requestId);

  const [last] = (transaction && readTimeline(transaction, [], { limit: 3_000 }))?.slice(-1) ?? [];

  expect({ title: last?.title, tone: last?.tone, isUnderUnreadId: last?.text.includes("never got") }).toEqual({
    title: said,
    tone: "warm",
    isUnderUnreadId,
  });
});

test.each([
  "{}",
  "{ result: { charge: 3 } }",
  "{ result: { charge: 0 } }",
  "{ result: { outcome: failed } }",
  "{ result: { outcome: failed, charge: 3 } }",
  "{ result: { stuck: true } }",
  "{ callback: { times: 2, reverse: true } }",
  "{ callback: { times: 2, reverse: true }, result: { charge: 3 } }",
  "{ wallet: 2 }",
  "{ callback: { times: 2, reverse: true }, result: { charge: 0 } }",
])("the money that the events of an order moved is that of its ledger: %s", async (then) => {
  const { account } = await scriptedWorld(rule(`then: ${then}`));
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 60_000 }, 1_000);
  const transaction = account.state.transactions.get(requestId);
  const ledger = readLedger(account.journal.read());

  const moved = (transaction && readTimeline(transaction, [], { limit: 3_000 }))?.flatMap(({ moved }) => moved ?? []);

  expect(moved?.map(({ word, amount }) => ({ word, amount }))).toEqual(
    entryOfEach(ledger)
      .filter((entry) => entry.requestId === requestId)
      .map(({ kind, amount }) => ({ word: WORDS[kind], amount })),
  );
});

const WORDS: Readonly<Partial<Record<EntryKind, string>>> = {
  hold: "held",
  charge: "charged",
  release: "released",
  refund: "returned",
};
