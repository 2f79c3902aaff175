import { expect, test } from "vitest";
import { NotTheOwner, StoreOutage, UnwritableJournal } from "../../../src/gateway/ports/journal-store.ts";
import type { JournalEngine } from "../../../src/storage/journal/journal-engine.ts";
import { EngineJournalStore } from "../../../src/storage/journal/engine-journal-store.ts";
import { toppedUp } from "../../support/finding-events.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { WALL_START } from "../../support/gateway/world.ts";
import { MemoryJournals } from "../../support/memory-journals.ts";

test("an account that is released after an outage is given up only once its events are written", async () => {
  const { store, trouble, wait } = await storeOnEngine();
  trouble.isAway = true;
  store.append("x", [toppedUp(1, 100)]);
  const told = store.secured("x").catch((fault: unknown) => fault);
  await wait();

  trouble.isAway = false;
  const released = store.release("x");
  await allReady();
  const before = store.owned();
  await wait();

  expect(await told).toBeInstanceOf(StoreOutage);
  expect({ before, owned: store.owned() }).toEqual({ before: ["x", "y"], owned: ["y"] });
  expect(await released).toMatchObject({ account: "x" });
});

test("an account that is lost while it is released has no grant to hand on", async () => {
  const { store } = await storeOnEngine();
  store.append("x", [toppedUp(1, 100)]);

  const released = store.release("x");
  store.forget("x");

  expect(await released).toBeUndefined();
});

test("an outage is over for an account that had nothing to write, too", async () => {
  const { store, trouble, wait } = await storeOnEngine();
  trouble.isAway = true;
  store.append("x", [toppedUp(1, 100)]);
  await wait();
  trouble.isAway = false;
  await wait();

  const secured = Promise.race([store.secured("y").then(() => "safe"), wait().then(() => "waiting")]);

  expect(await secured).toBe("safe");
});

test("an account that was taken over, and that has nothing to write, is released without the engine", async () => {
  const { store, trouble, own, writes } = await storeOnEngine();
  store.append("x", [toppedUp(1, 100)]);
  await store.release("x");
  await own("x");
  trouble.isAway = true;
  const before = writes();

  const released = await Promise.all([store.release("x"), store.release("y")]);

  expect(released).toMatchObject([{ account: "x" }, { account: "y" }]);
  expect(writes()).toBe(before);
});

test("a trim is written before an account is released, however little it evicts", async () => {
  const { store, engine } = await storeOnEngine();
  store.append("x", [toppedUp(1, 100), toppedUp(2, 200)]);
  await store.secured("x");
  store.trim("x", 2, () => toppedUp(3, 300));

  await store.release("x");

  expect(await engine.load("x")).toEqual({ first: 2, events: [toppedUp(3, 300)] });
});

test("an account that is being released takes no more events, and is released once", async () => {
  const { store, trouble, engine, wait } = await storeOnEngine();
  trouble.isAway = true;
  store.append("x", [toppedUp(1, 100)]);

  const released = [store.release("x"), store.release("x")];
  const append = (): void => store.append("x", [toppedUp(2, 200)]);
  expect(append).toThrow(NotTheOwner);
  trouble.isAway = false;
  await wait();

  expect(await Promise.all(released)).toEqual([expect.objectContaining({ account: "x" }), undefined]);
  expect(await engine.load("x")).toEqual({ first: 1, events: [toppedUp(1, 100)] });
});

test("an account that is not owned is not written, not safe, not released, and has no journal", async () => {
  const { store } = await storeOnEngine();
  store.forget("x");

  expect(() => store.append("x", [toppedUp(1, 100)])).toThrow(NotTheOwner);
  await expect(store.secured("x")).rejects.toThrow(NotTheOwner);
  expect(await store.release("x")).toBeUndefined();
  expect(store.id("x")).toBe("");
});

test("what is written is safe while an outage lasts", async () => {
  const { store, trouble, wait } = await storeOnEngine();
  store.append("y", [toppedUp(1, 100)]);
  await store.secured("y");
  trouble.isAway = true;
  store.append("x", [toppedUp(1, 100)]);
  await wait();

  expect(store.outage()).toBeInstanceOf(StoreOutage);
  await expect(store.secured("y")).resolves.toBeUndefined();
  await expect(store.secured("x")).rejects.toThrow(StoreOutage);
});

test("a failure of the engine that is not an outage is reported with its cause", async () => {
  const { store, trouble } = await storeOnEngine();
  const cause = new Error("disk full");
  trouble.flush = () => Promise.reject(cause);
  store.append("x", [toppedUp(1, 100)]);

  const told = await store.secured("x").catch((fault: unknown) => fault);

  expect(told).toEqual(new StoreOutage("the journals cannot be written"));
  expect(told).toHaveProperty("cause", cause);
});

test("what was appended during an outage that has ended does not fail because of it", async () => {
  const { store, trouble, engine, wait } = await storeOnEngine(500);
  trouble.isAway = true;
  store.append("x", [toppedUp(1, 100)]);
  await allReady();
  store.append("x", [toppedUp(2, 200)]);
  const during = store.secured("x").catch((fault: unknown) => fault);
  await wait();
  await wait();
  trouble.isAway = false;
  const after: Promise<void>[] = [];

  trouble.flush = (writes) => {
    if (store.outage() === undefined) after.push(store.secured("x"));
    return engine.flush(writes);
  };
  await wait();

  expect(await during).toBeInstanceOf(StoreOutage);
  expect(await Promise.all(after)).toEqual([undefined]);
});

test.each([
  ["moved before anything was written", "fenced", new NotTheOwner("x")],
  [
    "moved, perhaps after everything was written",
    "uncertain",
    new StoreOutage("x has another owner now, and it is unknown whether the last write was made before that"),
  ],
] as const)("a waiter on an account that %s is told so, and the account is lost", async (_how, outcome, told) => {
  const { store, trouble, lost } = await storeOnEngine();
  trouble.flush = async () => [outcome];
  store.append("x", [toppedUp(1, 100)]);

  const secured = await store.secured("x").catch((fault: unknown) => fault);

  expect(secured).toStrictEqual(told);
  expect({ owned: store.owned(), lost }).toEqual({ owned: ["y"], lost: ["x"] });
});

test("a waiter on a write without an answer is told so after the wait, and the write still happens", async () => {
  const { store, trouble, engine, wait } = await storeOnEngine(1_000);
  const answers: (() => void)[] = [];
  trouble.flush = async (writes) => {
    await new Promise<void>((resolve) => void answers.push(resolve));
    return engine.flush(writes);
  };
  store.append("x", [toppedUp(1, 100)]);

  const told = store.secured("x").catch((fault: unknown) => fault);
  await wait();
  answers[0]?.();
  await allReady();

  expect(await told).toEqual(new StoreOutage("the journals are not written: their database does not answer"));
  expect(await engine.load("x")).toEqual({ first: 1, events: [toppedUp(1, 100)] });
  expect(store.outage()).toBeUndefined();
});

test("a waiter on a journal that cannot be written is told why, and other accounts go on", async () => {
  const { store, trouble, unwritable, engine } = await storeOnEngine();
  const problem = new UnwritableJournal("x", "it is full");
  trouble.flush = async (writes) => [problem, ...(await engine.flush(writes.slice(1)))];
  store.append("x", [toppedUp(1, 100)]);
  store.append("y", [toppedUp(1, 100)]);

  const secured = await Promise.allSettled([store.secured("x"), store.secured("y")]);

  expect(secured).toEqual([
    { status: "rejected", reason: problem },
    { status: "fulfilled", value: undefined },
  ]);
  expect(unwritable).toEqual(["x"]);
  expect(() => store.append("x", [toppedUp(2, 100)])).toThrow(problem);
  await expect(store.secured("x")).rejects.toBe(problem);
  expect(store.outage()).toBeUndefined();
});

test("a journal that cannot be written can still be dropped", async () => {
  const { store, trouble, engine } = await storeOnEngine();
  trouble.flush = async () => [new UnwritableJournal("x", "it is full")];
  store.append("x", [toppedUp(1, 100)]);
  await store.secured("x").catch(() => {});
  trouble.flush = undefined;

  store.drop("x");
  await store.dropped("x");

  expect(await engine.acquire("x", { create: false })).toEqual({ kind: "nobody" });
});

test("a store that is closed during an outage stops retrying", async () => {
  const { store, trouble, writes, wait } = await storeOnEngine();
  trouble.isAway = true;
  store.append("x", [toppedUp(1, 100)]);
  await wait();

  const closed = store.close();
  await wait();
  await closed;
  const before = writes();
  await wait();

  expect(before).toBeGreaterThan(1);
  expect(writes()).toBe(before);
});

interface Trouble {
  /** The engine cannot write. */
  isAway: boolean;
  /** How the engine writes. */
  flush: JournalEngine["flush"] | undefined;
}

/** A store that owns two accounts, and an engine that may be in trouble. */
async function storeOnEngine(patience = 0) {
  const clock = manualWallClock(WALL_START);
  const engine = new MemoryJournals(() => clock.now()).engine();
  const trouble: Trouble = { isAway: false, flush: undefined };
  const [lost, unwritable]: [string[], string[]] = [[], []];
  let count = 0;
  const flush: typeof engine.flush = async (writes) => {
    count += 1;
    if (trouble.isAway) throw new StoreOutage("the engine is away");
    return trouble.flush === undefined ? engine.flush(writes) : trouble.flush(writes);
  };
  const store = new EngineJournalStore(
    { ...engine, flush },
    {
      clock,
      patience,
      suspended: () => undefined,
      begin: async () => true,
      onLost: (account) => void lost.push(account),
      onUnwritable: ({ account }) => void unwritable.push(account),
    },
  );
  await engine.join({ id: "a", url: "" }, Number.MAX_SAFE_INTEGER);
  const own = async (account: string): Promise<void> => {
    const acquired = await engine.acquire(account, { create: true });
    if (acquired.kind === "granted") store.own(acquired.grant, acquired.journal);
  };
  for (const account of ["x", "y"]) await own(account);
  const wait = async (): Promise<void> => {
    await allReady();
    clock.advance(1_000);
    await allReady();
  };
  return { store, engine, trouble, own, wait, lost, unwritable, writes: () => count };
}
