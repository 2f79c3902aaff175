import { expect, test } from "vitest";
import { encodeState } from "../../src/account/snapshot.ts";
import { foldJournal } from "../../src/account/apply.ts";
import { memoryJournalStore } from "../../src/adapters/memory-journal-store.ts";
import { queryDetails } from "../../src/account/decide/query.ts";
import { type AccountEvent, isRequestEvent } from "../../src/account/events.ts";
import { cents } from "../../src/domain/kes.ts";
import { available } from "../../src/domain/wallet.ts";
import type { Account } from "../../src/engine/account.ts";
import { topUp } from "../../src/engine/commands.ts";
import type { Decide } from "../../src/engine/live-journal.ts";
import type { JournalStore } from "../../src/ports/journal-store.ts";
import { slowStore } from "../support/slow-store.ts";
import { allReady } from "../support/turns.ts";
import { airtime, placeOrder, refuseRequest, testWorld, WALL_START } from "../support/world.ts";

const paid = (amount: number): AccountEvent => ({ kind: "topped-up", at: WALL_START, amount: cents(amount) });

test("a command on a store that answers at once is done when it returns", () => {
  const { account } = testWorld();

  const answer = account.run(() => ({ events: [paid(5)], answer: "done" }));

  expect(answer).toBe("done");
  expect(account.version).toBe(2);
});

test("a command that decides nothing touches no store", () => {
  const { account } = testWorld();

  const answer = account.run((state) => ({ events: [], answer: state.requests }));

  expect(answer).toBe(0);
  expect(account.version).toBe(1);
});

test("commands behind a slow append are decided one after another, in the order in which they came", async () => {
  const { account } = testWorld({ store: slowStore() });
  const order: string[] = [];

  await Promise.all(["a", "b", "c", "d"].map(async (name) => account.run(recording(order, name))));

  expect(order).toEqual(["a at 1", "b at 2", "c at 3", "d at 4"]);
  expect(account.version).toBe(5);
});

test("a command that comes while others wait goes behind them, also once the store answers at once", async () => {
  const { account } = testWorld({ store: slowStore() });
  const order: string[] = [];
  const first = account.run(recording(order, "first"));
  await Promise.resolve();

  const second = account.run(recording(order, "second"));

  await Promise.all([second, first]);
  expect(order).toEqual(["first at 1", "second at 2"]);
});

test.each([1, 2])("where somebody was first %i times, the command is decided again on what is there then", async (times) => {
  const store = slowStore();
  const { account } = testWorld({ store });
  await allReady();
  const seen: unknown[] = [];
  account.observe((event, number) => seen.push([number, event.kind]));
  store.before.push(
    ...Array.from({ length: times }, () => () => store.intrude(account.consumerKey, [paid(100), paid(11)]).then(() => undefined)),
  );

  const decidedOn = await account.run((state, at) => ({
    events: [{ kind: "wallet-set", at, available: cents(7) }],
    answer: available(state.wallet),
  }));

  expect(decidedOn).toBe(1_000_000 + 111 * times);
  expect(available(account.state.wallet)).toBe(7);
  expect(seen).toEqual([...Array.from({ length: 2 * times }, (_, index) => [2 + index, "topped-up"]), [2 + 2 * times, "wallet-set"]]);
});

test("a command that loses its money to somebody who was first is refused, and nothing of it is left", async () => {
  const store = slowStore();
  const { account } = testWorld({ store, account: { balance: cents(1_000) } });
  await allReady();
  store.before.push(() =>
    store.intrude(account.consumerKey, [{ kind: "wallet-set", at: WALL_START, available: cents(0) }]).then(() => undefined),
  );

  await expect(sold(account, 10)).rejects.toMatchObject({ code: 402 });

  expect(account.state.transactions.size).toBe(0);
  expect(account.version).toBe(2);
});

test("an append that fails rejects its command alone, and nothing is folded of it", async () => {
  const store = slowStore();
  const { account } = testWorld({ store });
  await allReady();
  store.before.push(() => Promise.reject(new Error("disk full")));

  const outcomes = await Promise.allSettled([sold(account, 10), sold(account, 20), sold(account, 30)]);

  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(account.version).toBe(3);
  await expectFolded(account);
});

test("an append that was made though it was said to fail is found by the next command", async () => {
  const store = slowStore();
  const { account } = testWorld({ store });
  await allReady();
  store.before.push(async () => {
    await store.intrude(account.consumerKey, [paid(100)]);
    throw new Error("connection lost");
  });

  await expect(topUp(account, cents(100))).rejects.toThrow("connection lost");
  await topUp(account, cents(5));

  expect(available(account.state.wallet)).toBe(1_000_105);
  await expectFolded(account);
});

test("a decision that throws rejects its command alone", async () => {
  const { account } = testWorld({ store: slowStore() });

  const outcomes = await Promise.allSettled([sold(account, 10), account.run(fail), sold(account, 20)]);

  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("a store that refuses and has nothing newer fails the command instead of asking for ever", async () => {
  const store = slowStore();
  const { account } = testWorld({ store });
  await allReady();
  store.before.push(() => false);

  await expect(sold(account, 10)).rejects.toThrow("nothing after event 1");
  await expect(sold(account, 20)).resolves.toMatchObject({ kind: "accepted" });
});

test("commands on an account that is dropped are refused, those that wait for the store included", async () => {
  const { world, account } = testWorld({ store: slowStore() });
  await allReady();
  const waiting = [sold(account, 10), sold(account, 20)];

  const outcomes = await Promise.allSettled([...waiting, world.drop(account)]);

  expect(outcomes).toMatchObject([{ reason: { status: 404 } }, { reason: { status: 404 } }, { status: "fulfilled" }]);
  await expect(sold(account, 30)).rejects.toMatchObject({ status: 404 });
});

test("dropping an account on a store that answers at once leaves nothing to spin on", async () => {
  const { world, account } = testWorld();

  await world.drop(account);

  await expect(sold(account, 10)).rejects.toMatchObject({ status: 404 });
});

test("a reset on a slow store begins the account again at its own start", async () => {
  const { account } = testWorld({ store: slowStore() });
  await sold(account, 10);
  await account.advance({ by: 5_000 }, 0);

  await account.reset();

  expect(account.now()).toBe(WALL_START);
  expect(account.state).toMatchObject({ openedAt: WALL_START, requests: 0 });
  await expectFolded(account);
});

test("a journal on a slow store is trimmed while commands go on, and folds to the live state", async () => {
  const { account } = testWorld({ store: slowStore(), bounds: { maxTransactions: 5 } });

  await Promise.all(Array.from({ length: 900 }, async (_, index) => topUpAndQuery(account, index)));
  await allReady();

  expect(account.evicted).toBeGreaterThan(600);
  expect(account.evicted + (await account.read()).events.filter(isRequestEvent).length).toBe(900);
  await expectFolded(account);
});

test("a trim that fails is reported, and made up for by the next one", async () => {
  const memory = memoryJournalStore();
  const faults = [new Error("disk full")];
  const trim: JournalStore["trim"] = (name, through, snapshot) =>
    rejection(through > 1 ? faults : []) ?? memory.trim(name, through, snapshot);
  const sandbox = testWorld({ store: { ...memory, trim }, bounds: { maxTransactions: 5 } });

  await refuseMany(sandbox.account, 270);
  const reported = [...sandbox.faults];
  await refuseMany(sandbox.account, 270);

  const { events } = await sandbox.account.read();
  expect(reported).toEqual([new Error("disk full")]);
  expect(events.length).toBeLessThan(300);
  await expectFolded(sandbox.account);
});

test.each([memoryJournalStore, slowStore])(
  "what a decision wants done is done before anything that its events set off (%o)",
  async (makeStore) => {
    const order: string[] = [];
    const { account } = testWorld({ store: makeStore() });
    await allReady();
    account.observe(() => queueMicrotask(() => order.push("set off")));

    await account.run(() => ({ events: [paid(1)], answer: undefined, appended: () => order.push("appended") }));
    await allReady();

    expect(order).toEqual(["appended", "set off"]);
  },
);

function fail(): never {
  throw new RangeError("no");
}

function recording(order: string[], name: string): Decide<void> {
  return () => ({ events: [paid(1)], answer: void order.push(`${name} at ${order.length + 1}`) });
}

async function sold(account: Account, shillings: number): Promise<unknown> {
  return placeOrder(account, airtime(shillings));
}

async function expectFolded(account: Account): Promise<void> {
  const { events } = await account.read();
  const folded = foldJournal(events);
  expect(folded && encodeState(folded)).toEqual(encodeState(account.state));
}

/** A request, and one event more between it and the next. */
async function topUpAndQuery(account: Account, index: number): Promise<void> {
  await topUp(account, cents(index + 1));
  await account.run((state, at) => ({ events: [queryDetails(state, account.moment(at))], answer: undefined }));
}

async function refuseMany(account: Account, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    refuseRequest(account, 422);
    await Promise.resolve();
  }
  await allReady();
}

function rejection(faults: Error[]): Promise<void> | undefined {
  const fault = faults.shift();
  return fault && Promise.reject(fault);
}
