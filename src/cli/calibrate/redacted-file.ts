import { fstatSync } from "node:fs";
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import type { ObservedExchange } from "../../calibration/observed-exchange.ts";
import { expectWritable, invalidInput, refuseToWrite } from "../terminal/cli-error.ts";

/** Characters that are written at once. */
const BATCH = 64 * 1024;

const PLACE = "--redacted";

/** Opens the file that --redacted names, unless it is one of those that are read. */
export async function redactedFile(
  path: string | undefined,
  read: readonly string[],
): Promise<RedactedFile | undefined> {
  if (path === undefined) return undefined;
  const there = await stat(path).catch(() => undefined);
  const others = await Promise.all(read.map(identify));
  if (there !== undefined && others.some((other) => other?.dev === there.dev && other.ino === there.ino))
    throw invalidInput(PLACE, { problem: `${path} is one of the files to read`, repair: "choose another file" });
  if (there === undefined && (await lstat(path).catch(() => undefined)) !== undefined)
    throw invalidInput(PLACE, { problem: `${path} is a link to a file that is missing`, repair: "name that file" });
  await expectWritable([{ path, place: PLACE, isMoved: true }]);
  // A link stays one.
  const target = await realpath(path).catch(() => path);
  const aside = `${target}.${process.pid}.tmp`;
  const handle = await open(aside, "w").catch((error: unknown) => refuseToWrite({ path, place: PLACE }, error));
  return new RedactedFile(handle, { path, aside, target });
}

/** Links and other spellings of a path lead to the same file. Standard input may be a file, too. */
async function identify(path: string): Promise<{ readonly dev: number; readonly ino: number } | undefined> {
  if (path !== "-") return stat(path).catch(() => undefined);
  try {
    return fstatSync(process.stdin.fd);
  } catch {
    return undefined;
  }
}

interface Paths {
  readonly path: string;
  readonly aside: string;
  readonly target: string;
}

/** A file of redacted exchanges, one on each line. It is written aside, so that an existing one stays until the new one is complete. */
class RedactedFile {
  readonly #handle: FileHandle;
  readonly #paths: Paths;
  #held = "";

  constructor(handle: FileHandle, paths: Paths) {
    this.#handle = handle;
    this.#paths = paths;
  }

  async add(exchange: ObservedExchange): Promise<void> {
    this.#held += `${JSON.stringify(exchange)}\n`;
    if (this.#held.length >= BATCH) await this.#write();
  }

  async complete(): Promise<void> {
    await this.#write();
    await this.#handle.close();
    await rename(this.#paths.aside, this.#paths.target).catch((error: unknown) => this.#refuse(error));
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.#paths.aside, { force: true });
  }

  async #write(): Promise<void> {
    const text = this.#held;
    this.#held = "";
    await this.#handle.appendFile(text).catch((error: unknown) => this.#refuse(error));
  }

  #refuse(error: unknown): never {
    refuseToWrite({ path: this.#paths.path, place: PLACE }, error);
  }
}
