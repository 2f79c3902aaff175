import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { cents, available } from "../../../src/gateway/domain/kes.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { topUp } from "../../../src/gateway/engine/commands.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";
import { airtime, placeOrder, refuseRequest, testWorld } from "../../support/gateway/world.ts";

test("a command that decides nothing touches no store", () => {
  const { account } = testWorld();

  const answer = account.journal.run((state) => ({ events: [], answer: state.requests }));

  expect(answer).toBe(0);
  expect(account.journal.version).toBe(1);
});

test("an append that fails fails its command alone, and nothing of it is folded", () => {
  const memory = memoryJournalStore();
  const faults = [new Error("disk full")];
  const append: JournalStore["append"] = (name, events) => {
    throwFirst(events[0]?.kind === "topped-up" ? faults : []);
    memory.append(name, events);
  };
  const { account } = testWorld({ store: { ...memory, append } });

  expect(() => topUp(account, cents(100))).toThrow("disk full");
  topUp(account, cents(5));

  expect(available(account.state.wallet)).toBe(1_000_005);
  expectFolded(account);
});

test("commands on an account that is dropped are refused", () => {
  const { world, account } = testWorld();

  world.drop(account);

  expect(() => placeOrder(account, airtime(10))).toThrow(expect.objectContaining({ kind: "not-found" }));
});

test("a trim that fails is reported, and made up for by the next one", () => {
  const memory = memoryJournalStore();
  const failures = [new Error("disk full")];
  const trim: JournalStore["trim"] = (name, through, snapshot) => {
    throwFirst(through > 1 ? failures : []);
    memory.trim(name, through, snapshot);
  };
  const { account, faults } = testWorld({ store: { ...memory, trim }, bounds: { max_transactions: 5 } });

  refuseMany(account, 270);
  const reported = [...faults];
  refuseMany(account, 270);

  expect(reported).toEqual([new Error("disk full")]);
  expect(account.journal.read().events.length).toBeLessThan(300);
  expectFolded(account);
});

function expectFolded(account: RunningAccount): void {
  expect(foldJournal(account.journal.read().events)).toEqual(account.state);
}

function refuseMany(account: RunningAccount, count: number): void {
  for (let made = 0; made < count; made += 1) refuseRequest(account, 422);
}

function throwFirst(faults: Error[]): void {
  const fault = faults.shift();
  if (fault !== undefined) throw fault;
}
