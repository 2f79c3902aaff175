import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

test("a journal that settles an order twice charges it once", async () => {
  const { account } = testWorld();
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 0);
  const { events } = account.journal.read();

  const state = foldJournal([...events, ...events.filter(({ kind }) => kind === "settled")]);

  expect(state).toMatchObject({ wallet: { balance: 990_500, held: 0 }, pending: 0, settlements: 1 });
});

test("a journal with an event of a kind that this version does not know is not folded without it", () => {
  const { events } = testWorld().account.journal.read();
  const journal: AccountEvent[] = JSON.parse(JSON.stringify([...events, { kind: "from-the-future", at: WALL_START }]));

  expect(() => foldJournal(journal)).toThrow('it has an event of an unknown kind, "from-the-future"');
});

test("events of an order that a journal no longer has change nothing but the time and their count", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });
  const { requestId } = buyAirtime(account, 100);
  const { events: before } = testWorld().account.journal.read();
  await account.advance({ by: 1_000 }, 0);
  const later: AccountEvent[] = [
    ...account.journal.read(2).events,
    { kind: "client-left", at: WALL_START + 1_000, requestId, waited: 5 },
    { kind: "resend-requested", at: WALL_START + 1_000, requestId },
  ];

  const state = foldJournal([...before, ...later]);

  expect(state).toEqual({ ...foldJournal(before), latest: WALL_START + 1_000, events: 5 });
});

test.each([
  ["a resend", { kind: "resend-requested" }],
  ["an attempt", { kind: "attempt-begun", delivery: 1 }],
] as const)("%s of an order that has not settled changes nothing of it", (_what, event) => {
  const { account } = testWorld();
  const { requestId } = buyAirtime(account, 100);

  const state = foldJournal([...account.journal.read().events, { ...event, at: WALL_START, requestId }]);

  expect(state?.transactions).toEqual(account.state.transactions);
});

test("a journal does not begin in the middle", () => {
  const { account } = testWorld();
  buyAirtime(account, 100);

  expect(() => foldJournal(account.journal.read(1).events)).toThrow('a journal begins with "opened" or "snapshot"');
});

test("an order is remembered as repeatable no longer than it counts as a duplicate", async () => {
  const { account } = testWorld({ gateway: { duplicates: "refuse", duplicate_window: 30_000 } });
  buyAirtime(account, 10);
  await account.advance({ by: 10_000 }, 0);
  buyAirtime(account, 20);
  await account.advance({ by: 20_000 }, 0);
  const before = account.state.repeatable.size;

  buyAirtime(account, 30);
  const remembered = account.state.repeatable.size;
  buyAirtime(account, 10);

  expect({ before, remembered, repeatable: account.state.repeatable.size }).toEqual({
    before: 2,
    remembered: 2,
    repeatable: 3,
  });
});
