import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { formatMistake } from "../../document/problem.ts";
import type { World } from "../../engine/world.ts";
import type { Files } from "../../ports/files.ts";
import type { Journals } from "../../sandbox/journals.ts";
import { CliError } from "../cli-error.ts";
import type { NamedFile, StateFiles } from "./state-files.ts";
import { messageOf } from "../../domain/message-of.ts";

/** The accounts that a sandbox begins with, and what is to become of them. */
export interface State {
  /** None where everything begins anew, in memory. */
  readonly journals?: Journals;
  /** What there is to say about it. */
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  /** Writes down what is to be left, once nothing happens any more. Throws a CliError where that is not possible. */
  leave(world: World): Promise<void>;
  close(): void;
}

/** Opens and reads the files that hold accounts. Throws a CliError at a wrong one, before changing anything. */
export async function openState(named: StateFiles, files: Files): Promise<State> {
  const { data, imported, exported } = named;
  if (exported !== undefined) await expectPlace(exported.path).catch((error: unknown) => refuseToWrite(exported, error));
  const leave = (world: World): Promise<void> => (exported === undefined ? Promise.resolve() : write(world, exported));
  if (data === undefined && imported === undefined) return { lines: [], warnings: [], leave, close: () => {} };
  const brought = imported === undefined ? [] : (await import("./snapshot.ts")).readSnapshot(imported, files);
  const { openJournals, UnusableFile } = await import("../../sandbox/journals.ts");
  try {
    const journals = openJournals(data?.path, brought);
    return { journals, ...describe(journals, named), leave, close: () => journals.close() };
  } catch (error) {
    throw error instanceof UnusableFile ? new CliError(2, `${data?.place}: ${error.message}`) : error;
  }
}

function describe({ stored, left }: Journals, { data, imported }: StateFiles): Pick<State, "lines" | "warnings"> {
  const known = stored.filter(({ consumerKey }) => !consumerKey.startsWith(":")).length;
  const from = imported === undefined ? "" : `, with those of ${imported.path}`;
  return {
    lines: [
      `accounts        ${data?.path ?? "in memory"}${from}: ${known === 0 ? "none yet" : `${known} to go on with, as they were left`}`,
    ],
    warnings: left.map(({ consumerKey }) =>
      formatMistake(imported?.place ?? "", {
        problem: `the account ${consumerKey} is left out, because ${data?.path ?? ""} has it already`,
        repair: "drop that one first (DELETE /__admin/accounts/...), or name another data file",
      }),
    ),
  };
}

async function write(world: World, file: NamedFile): Promise<void> {
  const { writeSnapshot } = await import("./snapshot.ts");
  await writeSnapshot(world, file.path).catch((error: unknown) => refuseToWrite(file, error));
}

/** What is there already is a file that may be written over; the new one is made beside it. */
async function expectPlace(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK);
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined && !there.isFile()) throw new Error("it is no file");
}

function refuseToWrite({ path, place }: NamedFile, error: unknown): never {
  const reason = messageOf(error);
  throw new CliError(
    2,
    formatMistake(place, { problem: `${path} cannot be written (${reason})`, repair: "name a file in a folder that is there" }),
  );
}
