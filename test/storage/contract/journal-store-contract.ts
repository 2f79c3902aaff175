import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";

/** A store, which may be another object once it was opened again. */
export interface OpenStore {
  /** Answers the store once an account may begin there. */
  begin(account: string): Promise<JournalStore>;
  /** The store as whoever reads it later finds it. */
  reopened(): Promise<JournalStore>;
}

/** What every journal store promises, whatever it keeps journals in. */
export function journalStoreContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`a journal store in ${name}`, () => {
    test("has nothing of a new account", async () => {
      const store = await (await open()).begin("a");

      expect(store.read("a", 0)).toEqual({ first: 1, events: [] });
    });

    test("puts events behind the version that it is at, in order", async () => {
      const opened = await open();
      const store = await opened.begin("a");

      store.append("a", [event(1)]);
      store.append("a", [event(2), event(3)]);
      await store.secured("a");
      store.append("a", [event(4)]);

      expect((await opened.reopened()).read("a", 0)).toEqual({
        first: 1,
        events: [event(1), event(2), event(3), event(4)],
      });
    });

    test.each([
      [0, { first: 1, events: [event(1), event(2), event(3)] }],
      [2, { first: 3, events: [event(3)] }],
      [3, { first: 4, events: [] }],
    ])("reads what came after event %i", async (after, reading) => {
      const opened = await openWith(3, open);

      expect((await opened.reopened()).read("a", after)).toEqual(reading);
    });

    test("what was read does not change with later events", async () => {
      const store = await (await openWith(1, open)).reopened();
      const reading = store.read("a", 0);

      store.append("a", [event(2)]);

      expect(reading.events).toEqual([event(1)]);
    });

    trimContract(open);
    listContract(open);
  });
}

function trimContract(open: () => Promise<OpenStore>): void {
  test.each([
    [0, { first: 2, events: [event(20), event(3), event(4)] }],
    [1, { first: 2, events: [event(20), event(3), event(4)] }],
    [2, { first: 3, events: [event(3), event(4)] }],
    [3, { first: 4, events: [event(4)] }],
  ])("puts the snapshot in the place of what was trimmed, read after event %i", async (after, reading) => {
    const opened = await openWith(4, open);

    (await opened.reopened()).trim("a", 2, () => event(20));

    expect((await opened.reopened()).read("a", after)).toEqual(reading);
  });

  test("goes on counting where it was when all is trimmed", async () => {
    const opened = await openWith(2, open);

    (await opened.reopened()).trim("a", 2, () => event(20));
    (await opened.reopened()).append("a", [event(3)]);

    expect((await opened.reopened()).read("a", 0)).toEqual({ first: 2, events: [event(20), event(3)] });
  });

  test("is trimmed before it was written", async () => {
    const opened = await openWith(4, open);
    const store = await opened.begin("a");

    store.append("a", [event(5), event(6)]);
    store.trim("a", 5, () => event(50));

    expect((await opened.reopened()).read("a", 0)).toEqual({ first: 5, events: [event(50), event(6)] });
  });

  test("trims again from where it was trimmed before, and never back", async () => {
    const opened = await openWith(4, open);

    (await opened.reopened()).trim("a", 2, () => event(20));
    (await opened.reopened()).trim("a", 3, () => event(30));
    (await opened.reopened()).trim("a", 1, () => event(10));

    expect((await opened.reopened()).read("a", 0)).toEqual({ first: 3, events: [event(30), event(4)] });
  });
}

function listContract(open: () => Promise<OpenStore>): void {
  test("drops an account, which then starts over", async () => {
    const opened = await openWith(3, open);
    const before = await opened.reopened();
    before.trim("a", 2, () => event(20));

    before.drop("a");
    await before.dropped("a");
    const gone = await opened.begin("a");
    const left = gone.read("a", 0);
    gone.append("a", [event(7)]);

    expect(left).toEqual({ first: 1, events: [] });
    expect((await opened.reopened()).read("a", 0)).toEqual({ first: 1, events: [event(7)] });
  });

  test("names a journal as long as it lasts", async () => {
    const opened = await openWith(2, open);
    const store = await opened.reopened();
    const before = store.id("a");

    store.append("a", [event(3)]);
    store.trim("a", 2, () => event(20));
    const trimmed = await opened.reopened();
    const kept = trimmed.id("a");
    trimmed.drop("a");
    (await opened.begin("a")).append("a", [event(1)]);
    const again = await opened.begin("b");

    expect(before).toMatch(/^[0-9a-f-]{36}$/);
    expect(kept).toBe(before);
    expect([before, again.id("b")]).not.toContain(again.id("a"));
  });

  test("lists the accounts that have a journal, in the order in which these began", async () => {
    const opened = await open();

    (await opened.begin("b")).append("b", [event(1)]);
    (await opened.begin("a")).append("a", [event(1)]);
    (await opened.begin("c")).append("c", [event(1)]);
    const store = await opened.begin("d");
    store.append("b", [event(2)]);
    store.trim("a", 1, () => event(10));
    store.drop("c");

    expect((await opened.reopened()).list()).toEqual(["b", "a"]);
  });

  test("drops an account that it does not know", async () => {
    const store = await (await open()).reopened();

    store.drop("nobody");
    await store.dropped("nobody");

    expect(store.read("nobody", 0)).toEqual({ first: 1, events: [] });
  });

  test("keeps accounts apart, however alike their names", async () => {
    const opened = await openWith(2, open);

    (await opened.begin("A")).append("A", [event(7)]);
    (await opened.begin("a/")).append("a/", [event(8)]);
    const store = await opened.reopened();
    store.trim("A", 1, () => event(70));
    store.drop("a/");

    const found = await opened.reopened();
    expect(found.list()).toEqual(["a", "A"]);
    expect(found.read("a", 0)).toEqual({ first: 1, events: [event(1), event(2)] });
    expect(found.read("A", 0).first).toBe(1);
  });
}

/** An event that can be told from the others. */
function event(amount: number): AccountEvent {
  return { kind: "topped-up", at: 1_000, amount: cents(amount) };
}

/** A store in which account "a" has so many events. */
async function openWith(count: number, open: () => Promise<OpenStore>): Promise<OpenStore> {
  const opened = await open();
  const store = await opened.begin("a");
  for (let number = 1; number <= count; number += 1) store.append("a", [event(number)]);
  return opened;
}
