import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../src/account/account-event.ts";
import { cents } from "../../src/domain/kes.ts";
import type { JournalStore } from "../../src/ports/journal-store.ts";

/** What every journal store promises, whatever it keeps journals in. */
export function journalStoreContract(name: string, makeStore: () => JournalStore): void {
  describe(`a journal store in ${name}`, () => {
    test("has nothing of an account at first", () => {
      const store = makeStore();

      expect(store.read("a", 0)).toEqual({ first: 1, events: [] });
    });

    test("puts events behind the version that it is at, in order", () => {
      const store = makeStore();

      store.append("a", [event(1)]);
      store.append("a", [event(2), event(3)]);
      store.append("a", [event(4)]);

      expect(store.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2), event(3), event(4)] });
    });

    test.each([
      [0, { first: 1, events: [event(1), event(2), event(3)] }],
      [2, { first: 3, events: [event(3)] }],
      [3, { first: 4, events: [] }],
    ])("reads what came after event %i", (after, reading) => {
      const store = storeWith(3, makeStore);

      expect(store.read("a", after)).toEqual(reading);
    });

    test("keeps what was read apart from what comes later", () => {
      const store = storeWith(1, makeStore);
      const reading = store.read("a", 0);

      store.append("a", [event(2)]);

      expect(reading.events).toEqual([event(1)]);
    });

    test("keeps an event as it is, with every kind of value that JSON has", () => {
      const store = makeStore();
      const changed: AccountEvent = { kind: "account-changed", at: 0, consumer_secret: 'ü 🙂 "\\\n', rate_limit: null };

      store.append("a", [changed]);

      expect(store.read("a", 0)).toEqual({ first: 1, events: [changed] });
    });

    test.each([
      [0, { first: 2, events: [event(20), event(3), event(4)] }],
      [1, { first: 2, events: [event(20), event(3), event(4)] }],
      [2, { first: 3, events: [event(3), event(4)] }],
      [3, { first: 4, events: [event(4)] }],
    ])("puts the snapshot in the place of what was trimmed, read after event %i", (after, reading) => {
      const store = storeWith(4, makeStore);

      store.trim("a", 2, () => event(20));

      expect(store.read("a", after)).toEqual(reading);
    });

    test("goes on counting where it was when all is trimmed", () => {
      const store = storeWith(2, makeStore);

      store.trim("a", 2, () => event(20));

      store.append("a", [event(3)]);
      expect(store.read("a", 0)).toEqual({ first: 2, events: [event(20), event(3)] });
    });

    test("trims again from where it was trimmed before, and never back", () => {
      const store = storeWith(4, makeStore);

      store.trim("a", 2, () => event(20));
      store.trim("a", 3, () => event(30));
      store.trim("a", 1, () => event(10));

      expect(store.read("a", 0)).toEqual({ first: 3, events: [event(30), event(4)] });
    });

    test("drops an account, which then begins anew", () => {
      const store = storeWith(3, makeStore);
      store.trim("a", 2, () => event(20));

      store.drop("a");

      expect(store.read("a", 0)).toEqual({ first: 1, events: [] });
    });

    test("names a journal as long as it lasts", () => {
      const store = storeWith(2, makeStore);
      const before = store.id("a");

      store.append("a", [event(3)]);
      store.trim("a", 2, () => event(20));
      const trimmed = store.id("a");
      store.drop("a");
      store.append("a", [event(1)]);

      expect(before).toMatch(/^[0-9a-f-]{36}$/);
      expect(trimmed).toBe(before);
      expect([before, store.id("b")]).not.toContain(store.id("a"));
    });

    listContract(makeStore);
  });
}

function listContract(makeStore: () => JournalStore): void {
  test("lists the accounts that have a journal, in the order in which these began", () => {
    const store = makeStore();

    store.append("b", [event(1)]);
    store.append("a", [event(1)]);
    store.append("c", [event(1)]);
    store.append("b", [event(2)]);
    store.trim("a", 1, () => event(10));
    store.drop("c");
    store.read("d", 0);

    expect(store.list()).toEqual(["b", "a"]);
  });

  test("secures what was appended", async () => {
    const store = storeWith(2, makeStore);

    await expect(store.secured("a")).resolves.toBeUndefined();
  });

  test("drops an account that it does not know", () => {
    const store = makeStore();

    store.drop("nobody");

    expect(store.read("nobody", 0)).toEqual({ first: 1, events: [] });
  });

  test("keeps accounts apart, however alike their names", () => {
    const store = storeWith(2, makeStore);

    store.append("A", [event(7)]);
    store.append("a/", [event(8)]);
    store.trim("A", 1, () => event(70));
    store.drop("a/");

    expect(store.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2)] });
    expect(store.read("A", 0)).toEqual({ first: 1, events: [event(70)] });
  });
}

/** An event that can be told from the others. */
function event(amount: number): AccountEvent {
  return { kind: "topped-up", at: 1_000, amount: cents(amount) };
}

/** A store in which account "a" has so many events. */
function storeWith(count: number, makeStore: () => JournalStore): JournalStore {
  const store = makeStore();
  for (let number = 1; number <= count; number += 1) store.append("a", [event(number)]);
  return store;
}
