import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../src/account/events.ts";
import { cents } from "../../src/domain/kes.ts";
import type { JournalStore } from "../../src/ports/journal-store.ts";

/** What every journal store promises, whatever it keeps journals in. */
export function journalStoreContract(name: string, makeStore: () => JournalStore | Promise<JournalStore>): void {
  describe(`a journal store in ${name}`, () => {
    test("has nothing of an account at first", async () => {
      const store = await makeStore();

      expect(await store.read("a", 0)).toEqual({ first: 1, events: [] });
    });

    test("puts events behind the version that it is at, in order", async () => {
      const store = await makeStore();

      const taken = [
        await store.append("a", 0, [event(1)]),
        await store.append("a", 1, [event(2), event(3)]),
        await store.append("a", 3, [event(4)]),
      ];

      expect(taken).toEqual([true, true, true]);
      expect(await store.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2), event(3), event(4)] });
    });

    test.each([
      ["behind", 1],
      ["ahead", 3],
    ])("answers false to a version that is %s, and takes none of the events", async (_name, version) => {
      const store = await storeWith(2, makeStore);

      expect(await store.append("a", version, [event(8), event(9)])).toBe(false);

      expect(await store.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2)] });
      expect(await store.append("a", 2, [event(3)])).toBe(true);
    });

    test("lets one of two that append at the same version be first", async () => {
      const store = await storeWith(1, makeStore);

      const taken = await Promise.all([store.append("a", 1, [event(2), event(3)]), store.append("a", 1, [event(8), event(9)])]);

      expect(taken).toEqual([true, false]);
      expect(await store.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2), event(3)] });
    });

    test.each([
      [0, { first: 1, events: [event(1), event(2), event(3)] }],
      [2, { first: 3, events: [event(3)] }],
      [3, { first: 4, events: [] }],
    ])("reads what came after event %i", async (after, reading) => {
      const store = await storeWith(3, makeStore);

      expect(await store.read("a", after)).toEqual(reading);
    });

    test("keeps what was read apart from what comes later", async () => {
      const store = await storeWith(1, makeStore);
      const reading = await store.read("a", 0);

      await store.append("a", 1, [event(2)]);

      expect(reading.events).toEqual([event(1)]);
    });

    test("keeps an event as it is, with every kind of value that JSON has", async () => {
      const store = await makeStore();
      const changed: AccountEvent = { kind: "account-changed", at: 0, consumerSecret: 'ü 🙂 "\\\n', rateLimit: null };

      await store.append("a", 0, [changed]);

      expect(await store.read("a", 0)).toEqual({ first: 1, events: [changed] });
    });

    test.each([
      [0, { first: 2, events: [event(20), event(3), event(4)] }],
      [1, { first: 2, events: [event(20), event(3), event(4)] }],
      [2, { first: 3, events: [event(3), event(4)] }],
      [3, { first: 4, events: [event(4)] }],
    ])("puts the snapshot in the place of what was trimmed, read after event %i", async (after, reading) => {
      const store = await storeWith(4, makeStore);

      await store.trim("a", 2, () => event(20));

      expect(await store.read("a", after)).toEqual(reading);
    });

    test("goes on counting where it was when all is trimmed", async () => {
      const store = await storeWith(2, makeStore);

      await store.trim("a", 2, () => event(20));

      expect(await store.append("a", 0, [event(3)])).toBe(false);
      expect(await store.append("a", 2, [event(3)])).toBe(true);
      expect(await store.read("a", 0)).toEqual({ first: 2, events: [event(20), event(3)] });
    });

    test("trims again from where it was trimmed before, and never back", async () => {
      const store = await storeWith(4, makeStore);

      await store.trim("a", 2, () => event(20));
      await store.trim("a", 3, () => event(30));
      await store.trim("a", 1, () => event(10));

      expect(await store.read("a", 0)).toEqual({ first: 3, events: [event(30), event(4)] });
      expect(await store.append("a", 4, [event(5)])).toBe(true);
    });

    test("drops an account, which then begins anew", async () => {
      const store = await storeWith(3, makeStore);
      await store.trim("a", 2, () => event(20));

      await store.drop("a");

      expect(await store.read("a", 0)).toEqual({ first: 1, events: [] });
      expect(await store.append("a", 0, [event(1)])).toBe(true);
    });

    listContract(makeStore);
  });
}

function listContract(makeStore: () => JournalStore | Promise<JournalStore>): void {
  test("lists the accounts that have a journal, in the order in which these began", async () => {
    const store = await makeStore();

    await store.append("b", 0, [event(1)]);
    await store.append("a", 0, [event(1)]);
    await store.append("c", 0, [event(1)]);
    await store.append("b", 1, [event(2)]);
    await store.trim("a", 1, () => event(10));
    await store.drop("c");
    await store.read("d", 0);
    await store.append("e", 1, [event(1)]);

    expect(await store.list()).toEqual(["b", "a"]);
  });

  test("has nothing to wait for once it has said that all is safe", async () => {
    const store = await storeWith(2, makeStore);

    await store.secured();

    expect(store.secured()).toBeUndefined();
  });

  test("drops an account that it does not know", async () => {
    const store = await makeStore();

    await store.drop("nobody");

    expect(await store.read("nobody", 0)).toEqual({ first: 1, events: [] });
  });

  test("keeps accounts apart, however alike their names", async () => {
    const store = await storeWith(2, makeStore);

    await store.append("A", 0, [event(7)]);
    await store.append("a/", 0, [event(8)]);
    await store.trim("A", 1, () => event(70));
    await store.drop("a/");

    expect(await store.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2)] });
    expect(await store.read("A", 0)).toEqual({ first: 1, events: [event(70)] });
  });
}

/** An event that can be told from the others. */
function event(amount: number): AccountEvent {
  return { kind: "topped-up", at: 1_000, amount: cents(amount) };
}

/** A store in which account "a" has so many events. */
async function storeWith(count: number, makeStore: () => JournalStore | Promise<JournalStore>): Promise<JournalStore> {
  const store = await makeStore();
  for (let number = 1; number <= count; number += 1) await store.append("a", number - 1, [event(number)]);
  return store;
}
