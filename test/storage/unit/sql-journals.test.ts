import { describe, expect, onTestFinished, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { UnwritableJournal } from "../../../src/gateway/ports/journal-store.ts";
import type { Grant, JournalAppend, JournalEngine } from "../../../src/storage/journal/journal-engine.ts";
import { openSqlite, type SqliteDatabase } from "../../../src/storage/journal/sqlite-database.ts";
import { SqlJournals } from "../../../src/storage/journal/sql-journals.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../../support/data-file.ts";
import { toppedUp } from "../../support/finding-events.ts";

const LEASE = 60_000;
const HOUR = 3_600_000;

describe.runIf(HAS_SQLITE)(`journals in a database ${NEEDING_SQLITE}`, () => {
  test("are rid of replicas that have been gone for more than a day", async () => {
    const database = openDatabase();
    await joined(database, "long-gone");
    await joined(database, "gone");
    await endLease(database, "long-gone", 25 * HOUR);
    await endLease(database, "gone", 23 * HOUR);

    await joined(database, "new");

    const left = await database.query<{ id: string }>("SELECT id FROM kredo_replica ORDER BY id", []);
    expect(left.map(({ id }) => id)).toEqual(["gone", "new"]);
  });

  test("know their replicas by the URL under which these joined last", async () => {
    const database = openDatabase();
    const engine = await joined(database, "a");
    await engine.join({ id: "a", url: "http://moved" }, LEASE);

    expect((await engine.heartbeat()).replicas).toEqual([{ id: "a", url: "http://moved" }]);
  });

  test("are not written by an owner that has missed an event", async () => {
    const engine = await joined(openDatabase(), "a");
    const grant = await began(engine, "x", 3);

    const written = await engine.flush([append(grant, 1, 4)]);

    expect(written).toEqual([
      new UnwritableJournal("x", "its database is at event 3 instead of 1; the account goes on from there"),
    ]);
    expect(await engine.load("x")).toEqual({ first: 1, events: [1, 2, 3].map(event) });
  });

  test("cannot tell whether a write was made that the next owner would have evicted", async () => {
    const database = openDatabase();
    const [a, b] = [await joined(database, "a"), await joined(database, "b")];
    const grant = await began(a, "x", 2);
    await endLease(database, "a", 1);
    const acquired = await b.acquire("x", { create: false });
    const later = acquired.kind === "granted" ? acquired.grant : grant;
    await b.flush([{ ...append(later, 2, 2), trim: { through: 3, snapshot: event(30) }, events: [event(4)] }]);

    expect(await a.flush([append(grant, 2, 1)])).toEqual(["fenced"]);
    expect(await a.flush([append(grant, 0, 2)])).toEqual(["uncertain"]);
  });

  test.each([
    ["no list", "{}"],
    ["a list with something that is no object", '["topped-up"]'],
    ["a list with nothing in it", "[null]"],
    ["a list with an event without a kind", '[{"at":1}]'],
    ["a list with an event whose kind is no text", '[{"kind":1,"at":1}]'],
    ["a list with an event without a time", '[{"kind":"topped-up"}]'],
  ])("are refused if %s stands in the place of events", async (_what, body) => {
    const database = openDatabase();
    const engine = await joined(database, "a");
    await began(engine, "x", 1);
    await database.query("UPDATE kredo_events SET body = $1", [body]);

    await expect(engine.load("x")).rejects.toThrow("the events of x up to 1 cannot be read");
  });

  test("leave no events behind when an account is dropped", async () => {
    const database = openDatabase();
    const engine = await joined(database, "a");
    const grant = await began(engine, "x", 1);
    await began(engine, "y", 1);

    await engine.flush([{ kind: "drop", grant }]);

    expect(await database.query("SELECT body FROM kredo_events", [])).toHaveLength(1);
  });
});

function openDatabase(): SqliteDatabase {
  const database = openSqlite(newDataFile());
  onTestFinished(() => database.close());
  return database;
}

async function joined(database: SqliteDatabase, id: string): Promise<JournalEngine> {
  const engine = new SqlJournals(database);
  await engine.join({ id, url: `http://${id}` }, LEASE);
  return engine;
}

async function endLease(database: SqliteDatabase, id: string, ago: number): Promise<void> {
  await database.query("UPDATE kredo_replica SET lease_ends = {now} - $2 WHERE id = $1", [id, ago]);
}

/** An account with so many events, written at once. */
async function began(engine: JournalEngine, account: string, count: number): Promise<Grant> {
  const acquired = await engine.acquire(account, { create: true });
  if (acquired.kind !== "granted") throw new Error(`it is ${acquired.kind}`);
  await engine.flush([append(acquired.grant, 0, count)]);
  return acquired.grant;
}

function append(grant: Grant, after: number, count: number): JournalAppend {
  const events = Array.from({ length: count }, (_, index) => event(after + index + 1));
  return { kind: "append", grant, after, last: after + count, events };
}

/** An event that can be told from the others. */
function event(amount: number): AccountEvent {
  return toppedUp(1_000, amount);
}
