import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";

function event(amount: number): AccountEvent {
  return { kind: "topped-up", at: 1_000, amount: cents(amount) };
}

test("a journal that was taken over empty begins with event 1", () => {
  const store = memoryJournalStore();

  store.own("a", { first: 1, events: [] });
  const before = [store.list(), store.read("a", 0)];
  store.append("a", [event(1)]);

  expect(before).toEqual([[], { first: 1, events: [] }]);
  expect(store.read("a", 0)).toEqual({ first: 1, events: [event(1)] });
  expect(store.id("a")).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  [0, { first: 4, events: [event(4), event(5), event(6)] }],
  [4, { first: 5, events: [event(5), event(6)] }],
  [5, { first: 6, events: [event(6)] }],
])("a journal that was taken over goes on counting from its first event, read after event %i", (after, reading) => {
  const store = memoryJournalStore();

  store.own("a", { first: 4, events: [event(4), event(5)] });
  store.append("a", [event(6)]);

  expect(store.read("a", after)).toEqual(reading);
});

test("each journal that is taken over gets an id of its own", () => {
  const store = memoryJournalStore();

  store.own("a", { first: 1, events: [] });
  store.own("b", { first: 1, events: [event(1)] });
  const ids = ["a", "b"].map((account) => store.id(account));

  expect(new Set(ids).size).toBe(2);
  expect(["a", "b"].map((account) => store.id(account))).toEqual(ids);
});
