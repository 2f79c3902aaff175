import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { SCHEMA_VERSION } from "./journal-tables.ts";
import { UnusableFile } from "./node-sqlite.ts";

/** "KRED": distinguishes our files from those of other programs (sqlite.org/fileformat.html, section 1.3.19). */
export const APPLICATION_ID = 0x4b524544;

/** SQLite keeps these elsewhere, or nowhere (sqlite.org/uri.html, sqlite.org/inmemorydb.html). Another URL is no path either. */
const NO_PATH = /^(file:|:memory:$)|:\/\//i;

/** Opening a FIFO waits for a writer, and reading a device may never end. A new file would replace a link to nothing. */
export function refuseSpecial(path: string): void {
  if (NO_PATH.test(path)) throw new UnusableFile(`"${path}" is not the path of a file; write one, such as kredo.db`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UnusableFile(`${path}: it is a link to a file that is missing; name that file`);
  if (found === undefined || found.isFile()) return;
  const kind = found.isDirectory() ? "a folder" : "a pipe or a device";
  throw new UnusableFile(`${path}: it is ${kind}; name a file, or a new one`);
}

/** SQLite keeps the log next to the file itself, not next to a link to it. */
export function resolveLink(path: string): string {
  return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
}

/** SQLite would take what the log of a file that is gone holds for the content of the next one with its name. */
export function refuseOrphanedLog(path: string): void {
  const log = `${path}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new UnusableFile(
    `${path}: it is missing, but its log ${log} is there; put the file back, or delete the log, too, to start anew`,
  );
}

/** The length of a database header, and offsets in it (sqlite.org/fileformat.html, section 1.3). */
const HEADER = { length: 100, version: 60, application: 68 } as const;
const MAGIC = "SQLite format 3\0";

/**
 * Reads the header before SQLite opens the file, because SQLite may write to it. Creates a missing file for its owner only, because journals
 * contain secrets and phone numbers. SQLite gives the files next to it the same mode.
 */
export function readHeader(path: string): Buffer {
  try {
    const file = openSync(path, "a+", 0o600);
    const header = Buffer.alloc(HEADER.length);
    const length = readSync(file, header, 0, HEADER.length, 0);
    closeSync(file);
    return header.subarray(0, length);
  } catch (error) {
    throw new UnusableFile(
      `${path}: it cannot be written (${messageOf(error)}); check its permissions, or check that its folder exists and is writable`,
    );
  }
}

export function readWith<T>(path: string, use: (read: (into: Buffer, at: number) => number) => T): T {
  const file = openSync(path, "r");
  try {
    return use((into, at) => readSync(file, into, 0, into.length, at));
  } finally {
    closeSync(file);
  }
}

/** An empty file is one that lost its content: a new one gets its name when it has its tables. */
export function refuseForeign(path: string, header: Buffer): void {
  if (header.length === 0)
    throw new UnusableFile(`${path}: it is empty; put a copy in its place, or delete it to start anew`);
  if (header.length < HEADER.length || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new UnusableFile(`${path}: it is not a Kredo data file; name another file, or a new one`);
  if (header.readUInt32BE(HEADER.application) !== APPLICATION_ID)
    throw new UnusableFile(`${path}: it is another program's database; name another file`);
  const version = header.readUInt32BE(HEADER.version);
  if (version !== SCHEMA_VERSION)
    throw new UnusableFile(
      `${path}: its format is version ${version}, but this Kredo supports version ${SCHEMA_VERSION}; run the version that wrote it, or name another file`,
    );
}
