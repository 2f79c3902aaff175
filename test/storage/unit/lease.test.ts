import { expect, test } from "vitest";
import { StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { engineClock } from "../../../src/storage/replicas/engine-clock.ts";
import { Lease } from "../../../src/storage/replicas/lease.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { WALL_START } from "../../support/gateway/world.ts";
import { MemoryJournals } from "../../support/memory-journals.ts";

const LENGTH = 2_000;
const SELF = { id: "a", url: "http://a.test" };

test("a replica answers for nothing before it has joined, and says nothing about that in its log", async () => {
  const { lease, log, begin } = openLease();

  const before = lease.outage();
  await begin();

  expect(before?.message).toBe("this replica has not joined the others yet");
  expect(lease.outage()).toBeUndefined();
  expect(log).toEqual([]);
});

test("a lease is renewed four times per term, until it is ended", async () => {
  const { lease, beats, begin, pass } = openLease();
  await begin();

  await pass(LENGTH * 2);
  const during = beats();
  await lease.end();
  await pass(LENGTH * 2);

  expect({ during, beatsAfter: beats() }).toEqual({ during: 9, beatsAfter: 9 });
});

test("a lease that is ended while it is being renewed is not renewed again", async () => {
  const { lease, trouble, beats, begin, pass } = openLease();
  await begin();
  trouble.holds = true;
  await pass(LENGTH / 4);

  await lease.end();
  trouble.release();
  await pass(LENGTH);

  expect(beats()).toBe(2);
});

test("a lease ends one term after its last renewal was asked for, however long the answer took", async () => {
  const { lease, trouble, begin, pass } = openLease();
  await begin();
  trouble.holds = true;
  await pass(LENGTH / 4);
  await pass(400);
  trouble.release();
  await pass(LENGTH - 400 - 1);

  const before = lease.outage();
  await pass(1);

  expect(before).toBeUndefined();
  expect(lease.outage()?.message).toBe(
    "this replica cannot renew its lease (the database did not answer in time); requests are answered 503 until that is over",
  );
});

test("a slow answer does not put off the next renewal", async () => {
  const { trouble, beats, begin, pass } = openLease();
  await begin();
  trouble.holds = true;
  await pass(LENGTH / 4);
  await pass(LENGTH / 4 - 1);
  trouble.holds = false;
  trouble.release();
  await allReady();
  await pass(1);

  expect(beats()).toBe(3);
});

test("the log has an outage once, whatever else is found meanwhile, and its end once", async () => {
  const { lease, trouble, log, faults, begin, pass } = openLease();
  await begin();
  trouble.fault = new StoreOutage("the engine is away");

  await pass(LENGTH);
  const [first, second] = [lease.outage(), lease.outage()];
  await pass(LENGTH);
  const third = lease.outage();
  trouble.fault = undefined;
  await pass(LENGTH);

  expect(first).toMatchObject({ isLogged: true, message: expect.stringContaining("(the engine is away)") });
  expect({ second, third }).toEqual({ second: first, third: first });
  expect(lease.outage()).toBeUndefined();
  expect(log).toEqual([first?.message, "this replica has renewed its lease"]);
  expect(faults).toEqual([]);
});

test("a failure that is no outage is reported, and the lease goes on until its end", async () => {
  const { lease, trouble, faults, begin, pass } = openLease();
  await begin();
  const fault = new Error("broken");
  trouble.fault = fault;

  await pass(LENGTH / 4);
  trouble.fault = undefined;
  const during = lease.outage();
  await pass(LENGTH);

  expect(faults).toEqual([fault]);
  expect({ during, outage: lease.outage() }).toEqual({ during: undefined, outage: undefined });
});

test("a lease that cannot be given back is reported, and over all the same", async () => {
  const { lease, trouble, faults, begin } = openLease();
  await begin();
  const fault = new Error("broken");
  trouble.fault = fault;

  await lease.end();

  expect(faults).toEqual([fault]);
});

test.each([
  ["goes on", "one second", 1_000, undefined],
  ["stops", "more than one second", 1_001, expect.stringContaining("is 1001 ms ahead of the database's clock;")],
])("a replica %s if its clock is %s ahead of the database's, which was set back", async (_what, _far, by, message) => {
  const { lease, trouble, clock, begin, pass } = openLease();
  await begin();
  await pass(LENGTH / 4 - 1);
  trouble.setBack = by + 1;
  clock.now();

  await pass(1);

  expect(lease.outage()?.message).toEqual(message);
});

interface Trouble {
  /** How the engine fails. */
  fault: Error | undefined;
  /** The engine does not answer until it is released. */
  holds: boolean;
  readonly release: () => void;
  /** How far the engine's clock was set back. */
  setBack: number;
}

/** A lease on journals in memory, and what may go wrong between them. */
function openLease() {
  const wall = manualWallClock(WALL_START);
  const [log, faults]: [string[], unknown[]] = [[], []];
  const held: (() => void)[] = [];
  const trouble: Trouble = {
    fault: undefined,
    holds: false,
    release: () => held.splice(0).forEach((answer) => answer()),
    setBack: 0,
  };
  const engine = new MemoryJournals(() => wall.now() - trouble.setBack).engine();
  let count = 0;
  const through = async <T>(call: () => Promise<T>): Promise<T> => {
    if (trouble.fault !== undefined) throw trouble.fault;
    if (trouble.holds) await new Promise<void>((resolve) => void held.push(resolve));
    return call();
  };
  const heartbeat: typeof engine.heartbeat = () => {
    count += 1;
    return through(() => engine.heartbeat());
  };
  const clock = engineClock(wall);
  const lease = new Lease(
    {
      engine: { ...engine, heartbeat, leave: () => (trouble.fault ? Promise.reject(trouble.fault) : engine.leave()) },
      counter: wall,
      clock,
      length: LENGTH,
      report: (fault) => void faults.push(fault),
      log: (line) => void log.push(line),
    },
    () => {},
  );
  const pass = async (millis: number): Promise<void> => {
    for (let left = millis; left > 0; left -= LENGTH / 4) {
      wall.advance(Math.min(LENGTH / 4, left));
      await allReady();
    }
  };
  return { lease, log, faults, trouble, clock, beats: () => count, begin: () => lease.begin(SELF), pass };
}
