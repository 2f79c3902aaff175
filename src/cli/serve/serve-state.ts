import { formatMistake } from "../../gateway/document/problem.ts";
import type { StoredAccount } from "../../gateway/engine/account.ts";
import type { World } from "../../gateway/engine/world.ts";
import type { Files } from "../../gateway/adapters/files/files-on-disk.ts";
import type { JournalEngine } from "../../storage/journal/journal-engine.ts";
import type { AccountJournal, Journals } from "../../storage/journal/journals.ts";
import { CliError, expectWritable, refuseToWrite } from "../terminal/cli-error.ts";
import type { NamedFile, StateFiles } from "./state-files.ts";

/** The accounts that a sandbox starts with, and where they are saved. */
export interface State {
  /** Absent if everything starts empty, in memory. */
  readonly journals?: Journals;
  /** Set if replicas share the accounts. */
  readonly shared?: { readonly engine: JournalEngine; readonly imports: readonly AccountJournal[] };
  /** Lines about it for the startup message. */
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  /** Writes the files to be left, once nothing happens any more. Throws a CliError if that is not possible. */
  leave(world: World): Promise<void>;
  close(): void | Promise<void>;
}

/** Opens and reads the files that contain accounts. Throws a CliError for an invalid one, before changing anything. */
export async function openState(named: StateFiles, files: Files): Promise<State> {
  const { data, imported, exported } = named;
  await expectWritable(exported === undefined ? [] : [{ ...exported, isMoved: true }]);
  const leave = (world: World): Promise<void> =>
    exported === undefined ? Promise.resolve() : write(world.journals(), exported);
  if (data === undefined && imported === undefined) return { lines: [], warnings: [], leave, close: () => {} };
  const imports = await readImports(imported, files);
  const { openJournals, UnusableFile } = await import("../../storage/journal/journals.ts");
  try {
    if (data !== undefined && /^postgres(ql)?:\/\//.test(data.path))
      return await openShared(data.path, imports, exported);
    const journals = await openJournals(data?.path, imports);
    return { journals, ...describe(journals, named), leave, close: () => journals.close() };
  } catch (error) {
    throw error instanceof UnusableFile ? new CliError(2, `${data?.place}: ${error.message}`) : error;
  }
}

async function readImports(imported: NamedFile | undefined, files: Files): Promise<AccountJournal[]> {
  return imported === undefined ? [] : (await import("./snapshot.ts")).readSnapshot(imported, files);
}

async function openShared(
  url: string,
  imports: readonly AccountJournal[],
  exported: NamedFile | undefined,
): Promise<State> {
  const { openEngine } = await import("../../storage/journal/journals.ts");
  const engine = await openEngine(url);
  return {
    shared: { engine, imports },
    // Without a password, in the user part or in the query.
    lines: [`accounts        PostgreSQL, ${url.replace(/^(\w+:\/\/)[^/]*@/, "$1").replace(/\?.*$/, "")}`],
    warnings: [],
    leave: async () => {
      if (exported !== undefined) await write(await loadAll(engine), exported);
    },
    close: () => engine.close(),
  };
}

function describe(journals: Journals, { data, imported }: StateFiles): Pick<State, "lines" | "warnings"> {
  const { stored, skipped } = journals;
  const known = stored.filter(({ consumerKey }) => !consumerKey.startsWith(":")).length;
  const from = imported === undefined ? "" : `, with those of ${imported.path}`;
  return {
    lines: [`accounts        ${data?.path ?? "in memory"}${from}: ${known === 0 ? "none yet" : `${known} restored`}`],
    warnings: [
      ...journals.warnings,
      ...skipped.map(({ consumerKey }) =>
        formatMistake(imported?.place ?? "", {
          problem: `the account ${consumerKey} is skipped, because ${data?.path ?? ""} already contains it`,
          repair: "use another data file",
        }),
      ),
    ],
  };
}

/** Loads the accounts of all replicas as stored. Consumer keys cannot contain a colon. */
async function loadAll(engine: JournalEngine): Promise<StoredAccount[]> {
  const keys = (await engine.list()).filter((key) => !key.includes(":"));
  const loaded = await Promise.all(
    keys.map(async (consumerKey) => ({ consumerKey, journal: await engine.load(consumerKey) })),
  );
  return loaded.flatMap(({ consumerKey, journal }) => (journal === undefined ? [] : [{ consumerKey, journal }]));
}

async function write(accounts: readonly StoredAccount[], file: NamedFile): Promise<void> {
  const { writeSnapshot } = await import("./snapshot.ts");
  await writeSnapshot(accounts, file.path).catch((error: unknown) => refuseToWrite(file, error));
}
