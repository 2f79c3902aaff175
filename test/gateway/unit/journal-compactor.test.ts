import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, resend, setRule } from "../../../src/gateway/engine/commands.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, refuseRequest, sendSms, testWorld } from "../../support/gateway/world.ts";

const callbacks = callbacksTo("http://receiver.test/hook");

test("forgets a transaction that is over, and says how many requests it no longer has", async () => {
  const { account } = testWorld({ bounds: { max_transactions: 5 } });
  const { requestId } = buyAirtime(account, 10);
  for (const shillings of Array.from({ length: 300 }, () => 5)) buyAirtime(account, shillings);

  await account.advance({ by: 1_000 }, 1_000);

  expect(account.state.transactions.has(requestId)).toBe(false);
  expect(account.journal.evicted).toBeGreaterThan(250);
  expect(() => resend(account, [requestId])).toThrow(
    expect.objectContaining({ kind: "not-found", repair: expect.stringContaining("evicted") }),
  );
});

test("evicts refusals, however many, before the orders that were paid, with their ledger, callbacks and messages", async () => {
  const { account } = testWorld({ bounds: { max_transactions: 100 }, account: { callbacks } });
  for (const shillings of Array.from({ length: 40 }, () => 10)) buyAirtime(account, shillings);
  sendSms(account, "Habari");
  await account.advance({ by: 1_000 }, 5_000);
  const before = { ledger: [...account.journal.index.ledger], messages: [...account.journal.index.messages] };

  await refuseMany(account, 3_000);

  const { requests, ledger, messages } = account.journal.index;
  const codes = requests.map(({ statusCode }) => statusCode);
  expect({ ledger, messages }).toEqual(before);
  expect(codes.filter((code) => code === 200)).toHaveLength(41);
  expect(codes.filter((code) => code === 422).length).toBeLessThan(100 + 2 * 256);
  expect(account.journal.evicted + requests.length).toBe(3_041);
  expect(account.journal.index.eventsOf(requests[0]?.requestId ?? "").map(({ kind }) => kind)).toEqual([
    "accepted",
    "settled",
    "attempted",
  ]);
  expect(foldJournal(account.journal.read().events)).toEqual(account.state);
});

test("refusals that take many bytes push out no orders", async () => {
  const { account } = testWorld({ bounds: { max_bytes: 100_000 } });
  for (const shillings of Array.from({ length: 20 }, () => 5)) buyAirtime(account, shillings);
  await account.advance({ by: 1_000 }, 5_000);

  await refuseMany(account, 2_000);

  expect(account.state.transactions.size).toBe(20);
  expect(account.journal.read().events.length).toBeLessThan(800);
});

test.each<[string, (account: RunningAccount, store: JournalStore) => RunningAccount]>([
  ["a restart", (_account, store) => restarted(store, { bounds: { max_transactions: 100 } }).account],
  [
    "an import",
    (before) => {
      const { account } = testWorld({ bounds: { max_transactions: 100 } });
      account.import(structuredClone(before.journal.read().events));
      return account;
    },
  ],
])("orders kept from before refusals outlast %s, and leave when enough others follow", async (_way, next) => {
  const store = lastingStore();
  const before = testWorld({ store, bounds: { max_transactions: 100 } }).account;
  for (const shillings of Array.from({ length: 40 }, () => 5)) buyAirtime(before, shillings);
  await before.advance({ by: 1_000 }, 5_000);
  await refuseMany(before, 1_000);

  const account = next(before, store);
  const { evicted } = account.journal;
  const kept = account.journal.index.requests.length;
  const numbers = account.journal.index.requests.map(({ number }) => number);
  const first = account.journal.index.requests[0]?.requestId ?? "";
  const isKept = account.state.transactions.has(first);
  for (let round = 0; round < 4; round += 1) {
    for (const shillings of Array.from({ length: 100 }, () => 5)) buyAirtime(account, shillings);
    await account.advance({ by: 1_000 }, 5_000);
  }

  expect({ evicted, kept }).toEqual({ evicted: before.journal.evicted, kept: 1_040 - before.journal.evicted });
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  expect({ isKept, after: account.state.transactions.has(first) }).toEqual({ isKept: true, after: false });
  expect(foldJournal(account.journal.read().events)).toEqual(account.state);
});

test("numbers the orders that an import kept before those that follow, also where numbers were lower", async () => {
  const before = testWorld({ bounds: { max_transactions: 100 } }).account;
  await refuseMany(before, 3_000);
  buyAirtime(before, 5);
  await before.advance({ by: 1_000 }, 5_000);
  await refuseMany(before, 1_000);
  const { account } = testWorld({ bounds: { max_transactions: 100 } });
  account.import(structuredClone(before.journal.read().events));
  buyAirtime(account, 7);
  await account.advance({ by: 1_000 }, 5_000);
  await refuseMany(account, 1_000);

  const paid = account.journal.index.requests.filter(({ statusCode }) => statusCode === 200);

  expect(paid.map(({ requestId }) => account.journal.index.ledgerOf(requestId).map(({ kind }) => kind))).toEqual([
    ["hold", "release", "charge"],
    ["hold", "release", "charge"],
  ]);
});

test("keeps a transaction that has something still to come, however old", async () => {
  const { account, sent } = testWorld({ bounds: { max_transactions: 0, max_bytes: 0 }, account: { callbacks } });
  const { requestId } = buyAirtime(account, 10);
  await refuseMany(account, 600);

  await account.advance({ by: 1_000 }, 0);

  expect(account.journal.evicted).toBeGreaterThan(500);
  expect(sent.map(({ body }) => body)).toEqual([expect.stringContaining(requestId)]);
});

test("keeps a transaction that was over when its callback is being sent again", async () => {
  const answers: (CallbackOutcome | Promise<CallbackOutcome>)[] = [
    { kind: "answered", status: 200, body: "" },
    new Promise(() => {}),
  ];
  const { account } = testWorld({
    bounds: { max_transactions: 100 },
    account: { callbacks },
    answer: () => answers.shift() ?? { kind: "answered", status: 200, body: "" },
  });
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 1_000 }, 0);
  await refuseMany(account, 260);
  resend(account, [requestId]);
  await refuseMany(account, 150);

  const { events } = account.journal.read();
  const [snapshot] = events;
  const atSnapshot = foldJournal(events.slice(0, 1))?.transactions.get(requestId);
  expect(snapshot?.kind).toBe("snapshot");
  expect(atSnapshot?.progress).toMatchObject({ deliveries: [{ number: 1, next: "none" }], attempts: [{ attempt: 1 }] });
  expect(foldJournal(events)).toEqual(account.state);
});

test("keeps no more bytes than it may, and trims once for many events", async () => {
  const memory = memoryJournalStore();
  const trims: number[] = [];
  const trim: JournalStore["trim"] = (account, through, snapshot) => {
    trims.push(through);
    return memory.trim(account, through, snapshot);
  };
  const { account } = testWorld({ store: { ...memory, trim }, bounds: { max_bytes: 100_000 } });

  for (const text of Array.from({ length: 600 }, (_, index) => `${"x".repeat(400)} ${index}`)) {
    sendSms(account, text);
    await account.advance({ by: 1_000 }, 0);
  }

  const { events } = account.journal.read();
  expect(account.journal.evicted).toBeGreaterThan(400);
  expect(events.length).toBeLessThan(300);
  expect(trims.length).toBeGreaterThan(40);
  expect(trims.length).toBeLessThan(500);
});

test("counts the text of a scenario that is loaded again and again towards the bytes it may keep", () => {
  const { account } = testWorld({ bounds: { max_bytes: 1_000_000 } });

  for (const description of Array.from({ length: 300 }, (_, index) => `${"x".repeat(6_000)} ${index}`))
    beginScenarios(account, [{ scenario: { version: 1, name: "mine", description }, trusted: false }]);

  const { events } = account.journal.read();
  expect({ isTrimmed: events.length < 20, active: account.state.scenarios.length }).toEqual({
    isTrimmed: true,
    active: 1,
  });
  expect(foldJournal(events)).toEqual(account.state);
});

test("counts what a callback's editor and its second receiver wrote towards the bytes it may keep", async () => {
  const copy = { url: "http://second.test/hook", trusted: true };
  const text = "x".repeat(4_000);
  const { account } = testWorld({
    account: { callbacks: { ...callbacks, urls: { ...callbacks.urls, copy } } },
    answer: ({ url }) => ({ kind: "answered", status: 200, body: url === copy.url ? text : "" }),
    bounds: { max_bytes: 500_000 },
  });
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 1_000 }, 0);

  for (let left = 60; left > 0; left -= 1) {
    resend(account, [requestId], { body: text });
    await account.advance({ by: 1 }, 1_000);
  }

  const { events } = account.journal.read();
  expect(JSON.stringify(events.filter(({ kind }) => kind !== "snapshot")).length).toBeLessThan(500_000);
});

test("counts a scenario once, however often its rules are switched, and not at all once it is older than the journal", () => {
  const { account } = testWorld({ bounds: { max_bytes: 250_000 } });
  const rules = [{ name: "the rule", then: {} }];
  const scenario = { version: 1, name: "mine", description: "x".repeat(6_000), rules } as const;
  beginScenarios(account, [{ scenario, trusted: false }]);
  for (const is of Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? "off" : "on")))
    setRule(account, { scenario: "mine", rule: "the rule", is });
  const before = account.journal.read().events.length;
  for (const text of Array.from({ length: 600 }, (_, index) => `${"y".repeat(100)} ${index}`)) sendSms(account, text);

  setRule(account, { scenario: "mine", rule: "the rule", is: "off" });

  const { events } = account.journal.read();
  expect({ before, isKept: events.length > 200 }).toEqual({ before: 402, isKept: true });
  expect(foldJournal(events)).toEqual(account.state);
});

async function refuseMany(account: RunningAccount, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) refuseRequest(account, 422);
  await allReady();
}
