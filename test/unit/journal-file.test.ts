import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../src/account/account-event.ts";
import { findSqlite } from "../../src/adapters/journal/node-sqlite.ts";
import { SqliteJournalStore } from "../../src/adapters/journal/sqlite-journal-store.ts";
import { cents } from "../../src/domain/kes.ts";
import { StoreOutage } from "../../src/ports/journal-store.ts";
import { openJournals } from "../../src/sandbox/journals.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../support/data-file.ts";
import { withoutPrivileges } from "../support/without-privileges.ts";
import { accountSettings, buyAirtime, callbacksTo, testWorld } from "../support/world.ts";

test.runIf(!HAS_SQLITE)("a Node without node:sqlite is told so, with what to run instead, and no file is made", () => {
  const path = newDataFile();

  expect(() => new SqliteJournalStore(path)).toThrow(
    `${path}: this Node (${process.version}) has no node:sqlite, which keeps it; run Node 22.13 or newer`,
  );

  expect(existsSync(path)).toBe(false);
});

describe.runIf(HAS_SQLITE)(`the permissions of accounts ${NEEDING_SQLITE}`, () => {
  test("are not looked for in one that may only be read, and say so", () => {
    const path = newDataFile();
    openJournals(path, []).close();
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o444);

    const open = (): unknown => withoutPrivileges(() => openJournals(path, []));

    expect(open).toThrow(`${path}: it cannot be written (`);
  });

  test("are for their owner alone", () => {
    const path = newDataFile();
    const store = new SqliteJournalStore(path);
    store.append("a", [TOP_UP]);

    const modes = readdirSync(dirname(path)).map((name) => statSync(join(dirname(path), name)).mode & 0o777);

    expect(new Set(modes)).toEqual(new Set([0o600]));
    store.close();
  });
});

describe.runIf(HAS_SQLITE)(`accounts ${NEEDING_SQLITE}`, () => {
  test("go on from where they stood, callbacks included", async () => {
    const path = newDataFile();
    const before = openJournals(path, []);
    const first = testWorld({ ...before, account: { callbacks: callbacksTo("http://localhost:3000/hook") } });
    const { requestId } = buyAirtime(first.account, 10);
    before.close();

    const journals = openJournals(path, []);
    const { account, sent } = testWorld(journals);
    account.wake();
    const { fired } = await account.advance({ by: 1_000 }, 1_000);
    journals.close();

    expect(fired).toMatchObject([{ requestId, outcome: { status: 200 } }]);
    expect(fired[0]).not.toHaveProperty("possiblyRepeated");
    expect(sent).toHaveLength(1);
  });

  test("are not begun on by a second process while the first is there", () => {
    const path = newDataFile();
    const store = new SqliteJournalStore(path);

    expect(() => new SqliteJournalStore(path)).toThrow(`${path}: another process has it open; stop that one, or name another file`);

    store.close();
    new SqliteJournalStore(path).close();
  });

  test("are trimmed in the file too once that holds much more than is kept", async () => {
    const path = newDataFile();
    const store = new SqliteJournalStore(path);
    const many = Array.from({ length: 10_001 }, () => TOP_UP);
    store.append("a", many);
    store.trim("a", 9_999, () => TOP_UP);
    await store.secured();
    const before = copyOf(path);

    store.trim("a", 10_001, () => TOP_UP);
    await store.secured();

    expect([before, copyOf(path)]).toEqual([[10_001], [1]]);
    store.close();
  });

  test.each<[string, (path: string) => void, string]>([
    [
      "of text",
      (path) => writeFileSync(path, "port: 8254\n"),
      "it is not a data file of kredo; name another one, or one that is not there yet",
    ],
    ["of another program", (path) => makeDatabase(path, "CREATE TABLE t (x)"), "it is a database of another program"],
    [
      "of a later kredo",
      (path) => makeDatabase(path, `${OURS}; PRAGMA user_version = 3`),
      "its layout has version 3, and this kredo knows version 2",
    ],
    ["that was cut off", (path) => truncateSync(fullFile(path), 9_000), "it is damaged or cannot be used"],
    [
      "in which an event is missing",
      (path) => change(path, "DELETE FROM event WHERE number = 2"),
      "it is damaged or cannot be used (event 2 of sandbox-key is missing)",
    ],
    [
      "in which an event is not JSON",
      (path) => change(path, "UPDATE event SET body = 'x' WHERE number = 2"),
      "it is damaged or cannot be used",
    ],
    [
      "that does not add up",
      (path) => change(path, `UPDATE event SET body = replace(body, '"hold":950', '"hold":99999999999')`),
      "the journal of sandbox-key does not add up (",
    ],
  ])("are not looked for in a file %s, which stays as it is", (_name, make, message) => {
    const path = newDataFile();
    make(path);
    const before = readFileSync(path);

    expect(() => openJournals(path, [])).toThrow(`${path}: ${message}`);

    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("need a file in a folder that is there", () => {
    const path = join(dirname(newDataFile()), "nowhere", "kredo.db");

    expect(() => openJournals(path, [])).toThrow("check that its folder is there and may be written to");
  });

  test("are not kept in a folder", () => {
    const path = newDataFile();
    mkdirSync(path);

    expect(() => openJournals(path, [])).toThrow(`${path}: it cannot be read (`);
  });

  test("are safe once the store says so, also for whoever comes without its leave", async () => {
    const path = newDataFile();
    const store = new SqliteJournalStore(path);
    store.append("a", [TOP_UP]);
    const unsafe = copyOf(path);

    await store.secured();

    expect([unsafe, copyOf(path)]).toEqual([[], [1]]);
    store.close();
  });

  test("are taken no more while something cannot be written, and all of them are in the file once it can", async () => {
    const path = newDataFile();
    const store = new SqliteJournalStore(path);
    const unwritable: AccountEvent = JSON.parse('{"kind":"topped-up","at":0}');
    Object.defineProperty(unwritable, "toJSON", { value: () => undefined });
    store.append("a", [TOP_UP]);
    const waiting = store.secured();

    expect(() => store.append("a", [unwritable])).toThrow(path);
    await expect(waiting).rejects.toThrow(StoreOutage);
    await expect(store.secured()).rejects.toThrow(path);
    expect(() => store.append("b", [TOP_UP])).toThrow(StoreOutage);
    expect(store.outage()?.message).toContain("requests are answered 503");

    store.recover();
    store.append("a", [TOP_UP]);
    await store.secured();

    expect(store.outage()).toBeUndefined();
    expect(copyOf(path)).toEqual([2]);
    store.close();
  });

  test("that are brought begin there, and leave alone whoever is there already", () => {
    const path = newDataFile();
    openJournals(path, [{ consumerKey: "a", events: [opened("a")] }]).close();

    const journals = openJournals(
      path,
      ["a", "b"].map((consumerKey) => ({ consumerKey, events: [opened(consumerKey), TOP_UP] })),
    );

    expect(journals.left.map(({ consumerKey }) => consumerKey)).toEqual(["a"]);
    expect(journals.stored.map(({ consumerKey, journal }) => [consumerKey, journal.events.length])).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    journals.close();
  });
});

const TOP_UP: AccountEvent = { kind: "topped-up", at: 1_000, amount: cents(100) };
const OURS = "PRAGMA application_id = 1263682884; CREATE TABLE t (x)";

function opened(consumerKey: string): AccountEvent {
  return { kind: "opened", at: 0, settings: accountSettings({ consumer_key: consumerKey }), clock: { mode: "manual", from: 0 }, seed: 1 };
}

/** A file with an account that bought something, and a good deal more. */
function fullFile(path: string): string {
  const journals = openJournals(path, []);
  const { account } = testWorld(journals);
  Array.from({ length: 50 }, () => buyAirtime(account, 10));
  journals.close();
  return path;
}

function change(path: string, sql: string): void {
  makeDatabase(fullFile(path), sql);
}

function makeDatabase(path: string, sql: string): void {
  const sqlite = findSqlite();
  if (sqlite === undefined) throw new Error("no node:sqlite");
  const database = new sqlite.DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** How many events of each account a copy of the file holds, as if the process ended now. */
function copyOf(path: string): unknown[] {
  const copy = join(dirname(path), "copy.db");
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  const store = new SqliteJournalStore(copy);
  const counts = store.list().map((account) => store.read(account, 0).events.length);
  store.close();
  return counts;
}
