import { expect, test } from "vitest";
import { StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
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
  expect([before, store.owned()]).toEqual([["x", "y"], ["y"]]);
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

/** A store that owns two accounts, on an engine that cannot write while it is away. */
async function storeOnEngine() {
  const clock = manualWallClock(WALL_START);
  const engine = new MemoryJournals(() => clock.now()).engine();
  const trouble = { isAway: false };
  const flush: typeof engine.flush = async (writes) => {
    if (trouble.isAway) throw new StoreOutage("the engine is away");
    return engine.flush(writes);
  };
  const store = new EngineJournalStore(
    { ...engine, flush },
    { clock, patience: 0, suspended: () => undefined, onLost: () => {} },
  );
  await engine.join({ id: "a", url: "" }, Number.MAX_SAFE_INTEGER);
  for (const account of ["x", "y"]) {
    const acquired = await engine.acquire(account, { create: true });
    if (acquired.kind === "granted") store.own(acquired.grant, acquired.journal);
  }
  const wait = async (): Promise<void> => {
    await allReady();
    clock.advance(1_000);
    await allReady();
  };
  return { store, trouble, wait };
}
