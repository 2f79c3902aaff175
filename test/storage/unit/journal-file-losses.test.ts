import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { type FileStore, openFileStore } from "../../../src/storage/journal/journals.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../../support/data-file.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { allReady } from "../../support/gateway/turns.ts";

describe.runIf(HAS_SQLITE)(`a start that was killed while it made the file, ${NEEDING_SQLITE},`, () => {
  test.each<[string, (path: string) => Promise<void>]>([
    ["before its tables", async (path) => writeFileSync(`${path}-new`, "")],
    [
      "before it had its name",
      async (path) => {
        await (await openFileStore(path)).close();
        renameSync(path, `${path}-new`);
      },
    ],
  ])("%s, is finished by the next one", async (_when, kill) => {
    const path = newDataFile();
    await kill(path);

    const { warnings, close } = await storeWith(path, 1);
    await close();

    expect({ warnings, events: await eventsIn(path), isLeft: existsSync(`${path}-new`) }).toEqual({
      warnings: [],
      events: 1,
      isLeft: false,
    });
  });

  test("does not make the next one take what is somebody else's", async () => {
    const path = newDataFile();
    writeFileSync(`${path}-new`, "a list of new things");

    await expect(openFileStore(path)).rejects.toThrow(`${path}-new: it is not a Kredo data file`);

    expect(readFileSync(`${path}-new`, "utf8")).toBe("a list of new things");
    expect(existsSync(path)).toBe(false);
  });

  test("is not looked for behind a link to nothing", async () => {
    const path = newDataFile();
    symlinkSync("missing.db", path);

    await expect(openFileStore(path)).rejects.toThrow(
      `${path}: it is a link to a file that is missing; name that file`,
    );
  });
});

describe.runIf(HAS_SQLITE)(`the log of accounts ${NEEDING_SQLITE}`, () => {
  test("is missed if the file was copied without it", async () => {
    const path = newDataFile();
    const { close } = await storeWith(path, 300);
    const copy = join(dirname(path), "copy.db");
    copyFileSync(path, copy);
    await close();

    const found = await openFileStore(copy);

    expect(found.warnings).toEqual([expect.stringContaining(`${copy}: its log ${copy}-wal is missing`)]);
    await found.close();
    expect(await warningsOf(copy)).toEqual([]);
  });

  test("is not missed after a stop, after a kill, or after a kill of the process that followed one", async () => {
    const path = newDataFile();
    const { close } = await storeWith(path, 3);
    const killed = copyBoth(path);
    await close();
    const second = await storeWith(killed, 3);
    const killedAgain = copyBoth(killed);
    await second.close();

    expect([await warningsOf(path), second.warnings, await warningsOf(killedAgain)]).toEqual([[], [], []]);
    expect([path, killed, killedAgain].map((file) => existsSync(`${file}-wal`))).toEqual([false, false, false]);
    expect(await eventsIn(killedAgain)).toBe(6);
  });

  test("is found next to the file that a link leads to", async () => {
    const path = newDataFile();
    const { close } = await storeWith(path, 3);
    const killed = copyBoth(path);
    await close();
    const link = join(dirname(path), "link.db");
    symlinkSync(killed, link);

    expect(await warningsOf(link)).toEqual([]);
    expect(await eventsIn(link)).toBe(3);
  });

  test("is not taken for the content of a new file after its own was deleted", async () => {
    const path = newDataFile();
    const { close } = await storeWith(path, 3);
    const killed = copyBoth(path);
    await close();
    rmSync(killed);

    await expect(openFileStore(killed)).rejects.toThrow(
      `${killed}: it is missing, but its log ${killed}-wal is there; put the file back, or delete the log, too, to start anew`,
    );

    expect([killed, `${killed}-new`].filter((file) => existsSync(file))).toEqual([]);
  });

  test("is called damaged wherever a flipped bit loses an event", async () => {
    const path = newDataFile();
    const { close } = await storeWith(path, 20);
    const whole = copyBoth(path);
    await close();
    const { length } = readFileSync(`${whole}-wal`);

    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.nat(31), fc.nat(length - 1)), fc.nat(7), async (byte, bit) => {
        const damaged = copyBoth(whole);
        const log = readFileSync(`${damaged}-wal`);
        log.writeUInt8(log.readUInt8(byte) ^ (1 << bit), byte);
        writeFileSync(`${damaged}-wal`, log);

        const isSaid = (await warningsOf(damaged)).length > 0;

        expect(isSaid || (await eventsIn(damaged)) === 20).toBe(true);
      }),
      {
        examples: [
          [0, 0],
          [3, 0],
          [length - 1, 0],
        ],
        numRuns: 100,
      },
    );
  });

  test("may end in the middle of a write", async () => {
    const path = newDataFile();
    const { close } = await storeWith(path, 20);
    const cut = copyBoth(path);
    await close();
    writeFileSync(`${cut}-wal`, readFileSync(`${cut}-wal`).subarray(0, -100));

    expect(await warningsOf(cut)).toEqual([]);
  });
});

describe.runIf(HAS_SQLITE)(`accounts ${NEEDING_SQLITE}`, () => {
  test.each(["", "-wal"])("take nothing while kredo.db%s is gone, and go on once it is back", async (which) => {
    const path = newDataFile();
    const clock = manualWallClock(0);
    const { store, close } = await openFileStore(path, undefined, clock);
    await store.begin("a");
    const aside = join(dirname(path), "aside");
    renameSync(`${path}${which}`, aside);
    store.append("a", [TOP_UP]);

    await expect(store.secured("a")).rejects.toThrow(
      `${path}${which} was moved, deleted or replaced while Kredo ran; requests are answered 503 until it is back`,
    );
    writeFileSync(`${path}${which}`, "another");
    clock.advance(250);
    await allReady();
    const whileReplaced = store.outage?.();
    renameSync(aside, `${path}${which}`);
    clock.advance(250);
    await allReady();

    expect(whileReplaced).toMatchObject({ repair: "put the file back, or start Kredo again" });
    expect(store.outage?.()).toBeUndefined();
    await close();
    expect(await eventsIn(path)).toBe(1);
  });
});

const TOP_UP: AccountEvent = { kind: "topped-up", at: 1_000, amount: cents(100) };

/** A store in a file whose only account gets so many more events, each written by itself. */
async function storeWith(path: string, events: number): Promise<FileStore> {
  const opened = await openFileStore(path);
  await opened.store.begin("a");
  for (let written = 0; written < events; written += 1) {
    opened.store.append("a", [TOP_UP]);
    await opened.store.secured("a");
  }
  return opened;
}

/** The file and its log as they are now, as if the process were killed. */
function copyBoth(path: string): string {
  const folder = join(dirname(path), "copy");
  const copy = join(folder, "kredo.db");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  return copy;
}

async function warningsOf(path: string): Promise<readonly string[]> {
  const { warnings, close } = await openFileStore(path);
  await close();
  return warnings;
}

async function eventsIn(path: string): Promise<number> {
  const { store, close } = await openFileStore(path);
  const { events } = store.read("a", 0);
  await close();
  return events.length;
}
