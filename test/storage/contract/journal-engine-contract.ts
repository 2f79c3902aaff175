import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { UnwritableJournal } from "../../../src/gateway/ports/journal-store.ts";
import type {
  Acquired,
  Grant,
  JournalEngine,
  JournalWrite,
  WriteOutcome,
} from "../../../src/storage/journal/journal-engine.ts";

/** An engine that several replicas share. */
export interface SharedEngine {
  /** As one more replica sees it. */
  connect(): Promise<JournalEngine>;
  /** Lets the lease of a replica be over. */
  endLease(id: string): Promise<void>;
  /** Loses the last event of an account, although it was confirmed. */
  loseLast(account: string): Promise<void>;
  /** Refuses events that contain a text. */
  refuse(text: string): Promise<void>;
}

const LEASE = 60_000;

/** The statements by which a database of SQL loses the last event of an account, which was written by itself. */
export const LOSE_LAST = [
  "DELETE FROM kredo_events WHERE (account, last) IN (SELECT id, version FROM kredo_account WHERE name = $1)",
  "UPDATE kredo_account SET version = version - 1 WHERE name = $1",
] as const;

/** What every journal engine promises, whatever it keeps journals in. */
export function journalEngineContract(name: string, open: () => Promise<SharedEngine>): void {
  describe(`a journal engine in ${name}`, () => {
    test("tells replicas of one another, in the order in which they joined", async () => {
      const shared = await open();
      const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];

      const [of_a, of_b] = [await a.heartbeat(), await b.heartbeat()];

      expect(of_a.replicas).toEqual([
        { id: "a", url: "http://a" },
        { id: "b", url: "http://b" },
      ]);
      expect(of_b.replicas).toEqual(of_a.replicas);
      expect(of_b.now).toBeGreaterThanOrEqual(of_a.now);
    });

    test("gives all replicas the same secret", async () => {
      const shared = await open();

      const secrets = [
        await (await shared.connect()).join({ id: "a", url: "" }, LEASE),
        await (await shared.connect()).join({ id: "b", url: "" }, LEASE),
      ];

      expect(secrets[0]?.secret).toMatch(/^[0-9a-f-]{36}$/);
      expect(secrets[1]).toEqual(secrets[0]);
    });

    test("forgets a replica whose lease is over, until it renews it, and one that left", async () => {
      const shared = await open();
      const [a, b, c] = [await joined(shared, "a"), await joined(shared, "b"), await joined(shared, "c")];
      await shared.endLease("b");
      await c.leave();

      const before = await a.heartbeat();
      await b.heartbeat();
      const after = await a.heartbeat();

      expect(before.replicas.map(({ id }) => id)).toEqual(["a"]);
      expect(after.replicas.map(({ id }) => id)).toEqual(["a", "b"]);
    });

    ownerContract(open);
    flushContract(open);
    trimContract(open);
  });
}

function ownerContract(open: () => Promise<SharedEngine>): void {
  test("knows nothing of an account that nobody began", async () => {
    const a = await joined(await open(), "a");

    expect(await a.acquire("x", { create: false })).toEqual({ kind: "nobody" });
    expect(await a.load("x")).toBeUndefined();
    expect(await a.list()).toEqual([]);
  });

  test("lets one replica begin an account, and tells the other who did", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];

    const acquired = await Promise.all([a.acquire("x", { create: true }), b.acquire("x", { create: true })]);

    expect(acquired.map(({ kind }) => kind).toSorted()).toEqual(["granted", "replica"]);
    const winner = acquired[0]?.kind === "granted" ? "a" : "b";
    expect(acquired).toContainEqual({ kind: "replica", id: winner, url: `http://${winner}` });
  });

  test("takes an account that was only reserved for none, until its first event", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = granted(await a.acquire("x", { create: true }));

    const listed = [await b.list(), (await b.heartbeat()).accounts];
    await a.flush([append(grant, 0, 1)]);

    expect(listed).toEqual([[], []]);
    expect(await b.list()).toEqual(["x"]);
    expect((await b.heartbeat()).accounts).toEqual([{ account: "x", owner: "a" }]);
  });

  test("grants the account of a replica whose lease is over, with its journal and a higher epoch", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = await began(a, "x", 3);
    await shared.endLease("a");

    const beat = await b.heartbeat();
    const acquired = await b.acquire("x", { create: false });

    expect(beat.accounts).toEqual([{ account: "x", owner: undefined }]);
    expect(granted(acquired)).toEqual({ ...grant, epoch: grant.epoch + 1 });
    expect(acquired).toMatchObject({ journal: { first: 1, events: [event(1), event(2), event(3)] } });
  });

  test("grants nothing to a replica whose own lease is over", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    await began(b, "x", 1);
    await b.release(granted(await b.acquire("x", { create: false })));
    await shared.endLease("a");

    await expect(a.acquire("x", { create: false })).rejects.toThrow("lease");
  });

  test("grants what was released to whoever comes first", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = await began(a, "x", 1);

    await a.release(grant);

    expect((await a.heartbeat()).accounts).toEqual([{ account: "x", owner: undefined }]);
    expect(granted(await b.acquire("x", { create: false })).epoch).toBeGreaterThan(grant.epoch);
    expect(await a.flush([append(grant, 1, 1)])).toEqual(["fenced"]);
  });

  test("hands over to a replica by name, and to nobody else", async () => {
    const shared = await open();
    const [a, b, c] = [await joined(shared, "a"), await joined(shared, "b"), await joined(shared, "c")];
    const grant = await began(a, "x", 1);

    await a.release(grant, "b");

    expect((await c.heartbeat()).accounts).toEqual([{ account: "x", owner: "b" }]);
    expect(await c.acquire("x", { create: false })).toMatchObject({ kind: "replica", id: "b" });
    expect(granted(await b.acquire("x", { create: false })).epoch).toBeGreaterThan(grant.epoch);
  });

  test("leaves an account alone that was released under an earlier grant", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = await began(a, "x", 1);
    await a.acquire("x", { create: false });

    await a.release(grant);

    expect(await b.acquire("x", { create: false })).toMatchObject({ kind: "replica", id: "a" });
  });

  test("lists accounts in the order in which they began, whoever owns them", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    await began(a, "z", 1);
    await began(b, "y", 1);
    await began(a, "x", 1);

    expect(await b.list()).toEqual(["z", "y", "x"]);
    expect((await a.heartbeat()).accounts.map(({ owner }) => owner)).toEqual(["a", "b", "a"]);
  });

  test("refuses no name of an account, and keeps alike ones apart", async () => {
    const a = await joined(await open(), "a");
    const names = ["x", "X", "x ", ":sandbox", "ü 🙂", "'; DROP TABLE", "a,b", '{"}'];

    for (const name of names) await began(a, name, 1);

    expect(await a.list()).toEqual(names);
    expect(await a.acquire("nul\0", { create: false })).toEqual({ kind: "nobody" });
  });
}

function flushContract(open: () => Promise<SharedEngine>): void {
  test("writes to many journals at once, and tells of each what became of it", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const [x, y, z] = [await began(a, "x", 1), await began(a, "y", 2), await began(a, "z", 1)];
    await shared.endLease("a");
    await b.acquire("y", { create: false });

    const written = await a.flush([append(x, 1, 2), append(y, 2, 1), { kind: "drop", grant: z }]);

    expect(written).toEqual(["written", "fenced", "written"]);
    expect(await b.load("x")).toEqual({ first: 1, events: [event(1), event(2), event(3)] });
    expect(await b.load("y")).toEqual({ first: 1, events: [event(1), event(2)] });
    expect(await b.list()).toEqual(["x", "y"]);
  });

  test("keeps an event as it is, with every kind of value that JSON has", async () => {
    const a = await joined(await open(), "a");
    const changed: AccountEvent = {
      kind: "scenarios-changed",
      at: 0,
      active: [
        {
          scenario: { version: 1, name: 'ü 🙂 "\\\n\0\ud800{,}NULL' },
          since: 0,
          start: 0,
          off: [],
          trusted: true,
          overlay: { rate_limit: null },
        },
      ],
      begun: [],
    };
    const grant = granted(await a.acquire("x", { create: true }));

    await a.flush([{ kind: "append", grant, after: 0, last: 1, events: [changed] }]);

    expect(await a.load("x")).toEqual({ first: 1, events: [changed] });
  });

  test("writes once what is asked for again because its answer was lost", async () => {
    const a = await joined(await open(), "a");
    const grant = await began(a, "x", 1);

    const answers = [await a.flush([append(grant, 1, 2)]), await a.flush([append(grant, 1, 2)])];

    expect(answers).toEqual([["written"], ["written"]]);
    expect(await a.load("x")).toEqual({ first: 1, events: [event(1), event(2), event(3)] });
  });

  test("writes every other journal when it refuses the events of some, and says of those why", async () => {
    const shared = await open();
    const a = await joined(shared, "a");
    const grants = await Promise.all(["u", "v", "w", "x", "y"].map((account) => began(a, account, 1)));
    await shared.refuse("4711");

    const outcomes = await a.flush(
      grants.map((grant, index): JournalWrite =>
        index % 3 === 1 ? { kind: "append", grant, after: 1, last: 2, events: [event(4711)] } : append(grant, 1, 1),
      ),
    );

    const versions = await Promise.all(
      ["u", "v", "w", "x", "y"].map(async (one) => (await a.load(one))?.events.length),
    );
    expect(outcomes.map(wordsOf)).toEqual([
      "written",
      expect.stringMatching(/journal of v .* refuses it/),
      "written",
      "written",
      expect.stringMatching(/journal of y .* refuses it/),
    ]);
    expect(versions).toEqual([2, 1, 2, 2, 1]);
  });

  test("says of a journal whose last event it has lost that it cannot be continued, and writes the others", async () => {
    const shared = await open();
    const a = await joined(shared, "a");
    const [x, y] = [await began(a, "x", 1), await began(a, "y", 1)];
    await a.flush([append(x, 1, 1)]);
    await shared.loseLast("x");

    const outcomes = await a.flush([append(x, 2, 1), append(y, 1, 1)]);
    await a.release(x);
    const again = await a.acquire("x", { create: false });

    expect(outcomes.map(wordsOf)).toEqual([expect.stringMatching(/journal of x .* event 1/), "written"]);
    expect(again).toMatchObject({ journal: { first: 1, events: [event(1)] } });
    expect(await a.flush([append(granted(again), 1, 1)])).toEqual(["written"]);
  });

  test("tells an owner that came too late whether its last write was made", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = await began(a, "x", 2);
    await shared.endLease("a");
    const later = granted(await b.acquire("x", { create: false }));
    await b.flush([append(later, 2, 1)]);

    const made = await a.flush([append(grant, 0, 2)]);
    const notMade = await a.flush([append(grant, 2, 1)]);

    expect([made, notMade]).toEqual([["written"], ["fenced"]]);
    expect(await b.load("x")).toEqual({ first: 1, events: [event(1), event(2), event(3)] });
  });

  test("starts an account again after it was dropped, with a new journal name", async () => {
    const a = await joined(await open(), "a");
    const before = await began(a, "x", 3);

    const dropped = [
      await a.flush([{ kind: "drop", grant: before }]),
      await a.flush([{ kind: "drop", grant: before }]),
    ];
    const after = await began(a, "x", 1);

    expect(dropped).toEqual([["written"], ["written"]]);
    expect(after.journal).not.toBe(before.journal);
    expect(await a.flush([append(before, 3, 1)])).toEqual(["fenced"]);
    expect(await a.load("x")).toEqual({ first: 1, events: [event(1)] });
  });

  test("lets nobody but the owner drop an account", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = await began(a, "x", 1);
    await shared.endLease("a");
    await b.acquire("x", { create: false });

    expect(await a.flush([{ kind: "drop", grant }])).toEqual(["fenced"]);
    expect(await b.list()).toEqual(["x"]);
  });
}

function trimContract(open: () => Promise<SharedEngine>): void {
  test.each([
    ["in the middle of what one write brought", 2, { first: 2, events: [event(20), event(3), event(4), event(5)] }],
    ["between two writes", 3, { first: 3, events: [event(20), event(4), event(5)] }],
    ["up to the last event but one", 4, { first: 4, events: [event(20), event(5)] }],
  ])("puts a snapshot in the place of what is trimmed %s", async (_where, through, kept) => {
    const a = await joined(await open(), "a");
    const grant = await began(a, "x", 3);
    const later = [event(4), event(5)].slice(Math.max(0, through - 3));

    await a.flush([
      { kind: "append", grant, after: 3, last: 5, events: later, trim: { through, snapshot: event(20) } },
    ]);

    expect(await a.load("x")).toEqual(kept);
  });

  test("goes on behind the snapshot when all is trimmed, and trims again", async () => {
    const a = await joined(await open(), "a");
    const grant = await began(a, "x", 3);

    await a.flush([
      { kind: "append", grant, after: 3, last: 4, events: [], trim: { through: 4, snapshot: event(20) } },
    ]);
    await a.flush([append(grant, 4, 2)]);
    await a.flush([
      { kind: "append", grant, after: 6, last: 7, events: [event(7)], trim: { through: 5, snapshot: event(30) } },
    ]);

    expect(await a.load("x")).toEqual({ first: 5, events: [event(30), event(6), event(7)] });
    expect(granted(await a.acquire("x", { create: false })).epoch).toBeGreaterThan(grant.epoch);
  });

  test("does not deny a write that was evicted since by its next owner", async () => {
    const shared = await open();
    const [a, b] = [await joined(shared, "a"), await joined(shared, "b")];
    const grant = await began(a, "x", 2);
    await shared.endLease("a");
    const later = granted(await b.acquire("x", { create: false }));
    await b.flush([
      {
        kind: "append",
        grant: later,
        after: 2,
        last: 4,
        events: [event(4)],
        trim: { through: 3, snapshot: event(30) },
      },
    ]);

    expect(await a.flush([append(grant, 0, 2)])).not.toEqual(["fenced"]);
  });
}

async function joined(shared: SharedEngine, id: string): Promise<JournalEngine> {
  const engine = await shared.connect();
  await engine.join({ id, url: `http://${id}` }, LEASE);
  return engine;
}

/** The outcome, or why nothing can be written. */
function wordsOf(outcome: WriteOutcome): string {
  return outcome instanceof UnwritableJournal ? outcome.message : outcome;
}

function granted(acquired: Acquired): Grant {
  if (acquired.kind !== "granted") throw new Error(`it is ${acquired.kind}`);
  return acquired.grant;
}

/** An account with so many events, written at once. */
async function began(engine: JournalEngine, account: string, count: number): Promise<Grant> {
  const grant = granted(await engine.acquire(account, { create: true }));
  await engine.flush([append(grant, 0, count)]);
  return grant;
}

function append(grant: Grant, after: number, count: number): JournalWrite {
  const events = Array.from({ length: count }, (_, index) => event(after + index + 1));
  return { kind: "append", grant, after, last: after + count, events };
}

/** An event that can be told from the others. */
function event(amount: number): AccountEvent {
  return { kind: "topped-up", at: 1_000, amount: cents(amount) };
}
