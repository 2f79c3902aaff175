import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { findSqlite } from "../../../src/storage/journal/node-sqlite.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { type FileStore, openFileStore, openJournals } from "../../../src/storage/journal/journals.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../../support/data-file.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { CAN_DROP_PRIVILEGES, withoutPrivileges } from "../../support/without-privileges.ts";
import { accountSettings, buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

test.runIf(!HAS_SQLITE)(
  "a Node without node:sqlite is told so, with what to run instead, and no file is made",
  async () => {
    const path = newDataFile();

    await expect(openFileStore(path)).rejects.toThrow(
      `${path}: this Node (${process.version}) has no node:sqlite, which data files need; run Node 22.13 or newer`,
    );

    expect(existsSync(path)).toBe(false);
  },
);

test.each<[string, (path: string) => unknown, string]>([
  ["a folder", (path) => mkdirSync(path), "it is a folder; name a file, or a new one"],
  ["a pipe", (path) => execFileSync("mkfifo", [path]), "it is a pipe or a device; name a file, or a new one"],
  ["a device", (path) => symlinkSync("/dev/zero", path), "it is a pipe or a device; name a file, or a new one"],
])("accounts are not kept in %s", async (_what, make, message) => {
  const path = newDataFile();
  make(path);

  await expect(openFileStore(path)).rejects.toThrow(`${path}: ${message}`);
});

test.each(["file:kredo.db", "file:///tmp/kredo.db?mode=memory", ":memory:", "mysql://127.0.0.1/kredo"])(
  "accounts are not kept in %s, which is no path, and no file is made",
  async (name) => {
    await expect(openFileStore(name)).rejects.toThrow(
      `"${name}" is not the path of a file; write one, such as kredo.db`,
    );

    expect([name, "kredo.db"].filter((path) => existsSync(path))).toEqual([]);
  },
);

describe.runIf(HAS_SQLITE)(`the permissions of accounts ${NEEDING_SQLITE}`, () => {
  test.runIf(CAN_DROP_PRIVILEGES)("are not looked for in one that may only be read, and say so", async () => {
    const path = newDataFile();
    await (await openJournals(path, [])).close();
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o444);

    const opening = withoutPrivileges(() => openJournals(path, []));

    await expect(opening).rejects.toThrow(`${path}: it cannot be written (`);
  });

  test("are for their owner alone", async () => {
    const path = newDataFile();
    const { store, close } = await storeOf(path, "a");
    store.append("a", [TOP_UP]);
    await store.secured("a");

    const modes = readdirSync(dirname(path)).map((name) => statSync(join(dirname(path), name)).mode & 0o777);

    expect(new Set(modes)).toEqual(new Set([0o600]));
    await close();
  });
});

describe.runIf(HAS_SQLITE)(`accounts ${NEEDING_SQLITE}`, () => {
  test("go on from where they stood, callbacks included", async () => {
    const path = newDataFile();
    const before = await openJournals(path, []);
    await before.store.begin("sandbox-key");
    const first = testWorld({ ...before, account: { callbacks: callbacksTo("http://localhost:3000/hook") } });
    const { requestId } = buyAirtime(first.account, 10);
    await before.close();

    const journals = await openJournals(path, []);
    const { account, sent } = testWorld(journals);
    account.wake();
    const { fired } = await account.advance({ by: 1_000 }, 1_000);
    await journals.close();

    expect(fired).toMatchObject([{ requestId, outcome: { status: 200 } }]);
    expect(fired[0]).not.toHaveProperty("possiblyRepeated");
    expect(sent).toHaveLength(1);
  });

  test("are not begun on by a second process while the first is there", async () => {
    const path = newDataFile();
    const { close } = await openFileStore(path);

    await expect(openFileStore(path)).rejects.toThrow(
      `${path}: another process has it open; stop that one, or name another file`,
    );

    await close();
    await (await openFileStore(path)).close();
  });

  test("are trimmed in the file too once that holds much more than is kept", async () => {
    const path = newDataFile();
    const { store, close } = await storeOf(path, "a");
    const many = Array.from({ length: 10_001 }, () => TOP_UP);
    store.append("a", many);
    await store.secured("a");
    const found = [await copyOf(path)];

    for (const through of [9_999, 10_001]) {
      store.trim("a", through, () => TOP_UP);
      store.append("a", [TOP_UP]);
      await store.secured("a");
      found.push(await copyOf(path));
    }

    expect(found).toEqual([[10_001], [10_002], [3]]);
    await close();
    expect(await copyOf(path)).toEqual([3]);
  });

  test.each<[string, (path: string) => unknown, string]>([
    [
      "of text",
      (path) => writeFileSync(path, "port: 8254\n"),
      "it is not a Kredo data file; name another file, or a new one",
    ],
    ["of another program", (path) => makeDatabase(path, "CREATE TABLE t (x)"), "it is another program's database"],
    [
      "of a later kredo",
      (path) => makeDatabase(path, `${OURS}; PRAGMA user_version = 7`),
      "its format is version 7, but this Kredo supports version 6",
    ],
    [
      "whose events had other names",
      (path) => makeDatabase(path, `${OURS}; PRAGMA user_version = 5`),
      "its format is version 5, but this Kredo supports version 6; run the version that wrote it",
    ],
    [
      "that was cut to nothing",
      async (path) => truncateSync(await fullFile(path), 0),
      "it is empty; put a copy in its place, or delete it to start anew",
    ],
    ["that was cut off", async (path) => truncateSync(await fullFile(path), 9_000), "it is damaged or cannot be used"],
    [
      "in which an event is missing",
      (path) => change(path, "DELETE FROM kredo_events WHERE last = 3"),
      "it is damaged or cannot be used (event 3 of sandbox-key is missing)",
    ],
    [
      "in which an event is not JSON",
      (path) => change(path, "UPDATE kredo_events SET body = 'x' WHERE last = 3"),
      "it is damaged or cannot be used",
    ],
    [
      "that does not add up",
      (path) => change(path, `UPDATE kredo_events SET body = replace(body, '"hold":950', '"hold":99999999999')`),
      "the journal of sandbox-key is inconsistent (",
    ],
  ])("are not looked for in a file %s, which stays as it is", async (_name, make, message) => {
    const path = newDataFile();
    await make(path);
    const before = readFileSync(path);

    await expect(openJournals(path, [])).rejects.toThrow(`${path}: ${message}`);

    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("need a file in a folder that is there", async () => {
    const path = join(dirname(newDataFile()), "nowhere", "kredo.db");

    await expect(openJournals(path, [])).rejects.toThrow("check that its folder exists and is writable");
  });

  test("that are imported start there, and leave existing accounts alone", async () => {
    const path = newDataFile();
    await (await openJournals(path, [{ consumerKey: "a", events: [opened("a")] }])).close();

    const journals = await openJournals(
      path,
      ["a", "b"].map((consumerKey) => ({ consumerKey, events: [opened(consumerKey), TOP_UP] })),
    );

    expect(journals.skipped.map(({ consumerKey }) => consumerKey)).toEqual(["a"]);
    expect(journals.stored.map(({ consumerKey, journal }) => [consumerKey, journal.events.length])).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    await journals.close();
  });
});

describe.runIf(HAS_SQLITE)(`events of accounts ${NEEDING_SQLITE}`, () => {
  test("are safe once the store says so, also for a process that opens the file without it", async () => {
    const path = newDataFile();
    const { store, close } = await storeOf(path, "a", "b");
    store.append("a", [TOP_UP]);
    store.append("b", [TOP_UP, TOP_UP]);
    const unsafe = await copyOf(path);

    store.append("a", [TOP_UP]);
    await store.secured("a");

    expect({ unsafe, copy: await copyOf(path) }).toEqual({ unsafe: [], copy: [2, 2] });
    await close();
  });

  test("are taken no more while something cannot be written, and all of them are in the file once it can", async () => {
    const path = newDataFile();
    const [disk, clock] = [{ isFull: true }, manualWallClock(0)];
    const { store, close } = await openFileStore(path, undefined, clock);
    await store.begin("a");
    await store.begin("b");
    store.append("a", [TOP_UP]);
    store.append("b", [unwritable(() => disk.isFull)]);

    await expect(store.secured("a")).rejects.toThrow(StoreOutage);
    await expect(store.secured("b")).rejects.toThrow("cannot be written");
    expect(() => store.append("a", [TOP_UP])).toThrow(StoreOutage);
    expect(await copyOf(path)).toEqual([]);

    disk.isFull = false;
    clock.advance(250);
    await allReady();

    expect(store.outage?.()).toBeUndefined();
    expect(await copyOf(path)).toEqual([1, 1]);
    store.append("a", [TOP_UP]);
    await close();
    expect(await copyOf(path)).toEqual([2, 1]);
  });

  test("are let go of while they cannot be written, with what is in the file", async () => {
    const path = newDataFile();
    const clock = manualWallClock(0);
    const { store, close } = await openFileStore(path, undefined, clock);
    await store.begin("a");
    store.append("a", [TOP_UP]);
    await store.secured("a");
    store.append("a", [unwritable(() => true)]);
    await expect(store.secured("a")).rejects.toThrow(StoreOutage);

    const closed = close();
    clock.advance(250);
    await closed;

    expect(await copyOf(path)).toEqual([1]);
  });
});

const TOP_UP: AccountEvent = { kind: "topped-up", at: 1_000, amount: cents(100) };
const OURS = "PRAGMA application_id = 1263682884; CREATE TABLE t (x)";

function opened(consumerKey: string): AccountEvent {
  return {
    kind: "opened",
    at: 0,
    settings: accountSettings({ consumer_key: consumerKey }),
    clock: { mode: "manual", from: 0 },
    seed: 1,
  };
}

/** An event that the file does not take for now, as on a full disk. */
function unwritable(isFull: () => boolean): AccountEvent {
  const toJSON = (): unknown => {
    if (isFull()) throw new Error("disk full");
    return TOP_UP;
  };
  return Object.defineProperty({ ...TOP_UP }, "toJSON", { value: toJSON });
}

/** A store in a file in which accounts may begin. */
async function storeOf(path: string, ...accounts: readonly string[]): Promise<FileStore> {
  const opened = await openFileStore(path);
  for (const account of accounts) await opened.store.begin(account);
  return opened;
}

/** A file with an account that bought something, and a good deal more. */
async function fullFile(path: string): Promise<string> {
  const journals = await openJournals(path, []);
  await journals.store.begin("sandbox-key");
  const { account } = testWorld(journals);
  for (let bought = 0; bought < 50; bought += 1) {
    await account.journal.secured();
    buyAirtime(account, 10);
  }
  await journals.close();
  return path;
}

async function change(path: string, sql: string): Promise<void> {
  makeDatabase(await fullFile(path), sql);
}

function makeDatabase(path: string, sql: string): void {
  const sqlite = findSqlite();
  if (sqlite === undefined) throw new Error("no node:sqlite");
  const database = new sqlite.DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** How many events of each account a copy of the file holds, as if the process ended now. */
async function copyOf(path: string): Promise<number[]> {
  const copy = join(dirname(path), "copy.db");
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  const { store, close } = await openFileStore(copy);
  const counts = store.list().map((account) => store.read(account, 0).events.length);
  await close();
  return counts;
}
