import { rename, writeFile } from "node:fs/promises";
import * as z from "zod";
import { importJournal } from "../../control/import-journal.ts";
import { accountValue } from "../../gateway/settings/account.ts";
import { quote } from "../../gateway/document/describe-value.ts";
import { parseDocument } from "../../gateway/document/parse-document.ts";
import { formatPath, formatProblem, type Path } from "../../gateway/document/problem.ts";
import { complain } from "../../gateway/document/values.ts";
import { locate, readYaml } from "../../gateway/document/yaml-source.ts";
import type { StoredAccount } from "../../gateway/engine/account.ts";
import { journalDocument } from "../../control/journal.ts";
import { type Files, reasonUnread } from "../../gateway/adapters/files/files-on-disk.ts";
import type { AccountJournal } from "../../storage/journals.ts";
import { VERSION } from "../../version.ts";
import { CliError, invalidInput } from "../cli-error.ts";
import { readJson } from "../../control/client/control-client.ts";
import { valueAt } from "../json-view.ts";
import type { NamedFile } from "./state-files.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";

/** An account as exported by the control API, with a valid consumer key. */
const accountDocument = journalDocument.extend({ consumer_key: accountValue.shape.consumer_key.unwrap() });

const snapshotDocument = z.strictObject({
  kredo: z.string(),
  accounts: z.array(accountDocument).superRefine((accounts, context) => {
    const keys = accounts.map((account) => account.consumer_key);
    for (const [index, key] of keys.entries()) if (keys.indexOf(key) < index) complainOfTwice(context, key, index);
  }),
});

type AccountDocument = z.output<typeof accountDocument>;

/** Reads the accounts of a snapshot, or of an account's export. Throws a CliError with the position of each mistake. */
export function readSnapshot({ path, place }: NamedFile, files: Files): AccountJournal[] {
  const content = files.read(path);
  if ("text" in content) return parseSnapshot(content.text, path);
  const repair = "write the path of a snapshot, or of an account's export";
  throw invalidInput(place, { problem: `${quote(path)} cannot be read (${reasonUnread(content)})`, repair });
}

/** Writes accounts for `readSnapshot`. An existing file stays intact until it is replaced. */
export async function writeSnapshot(accounts: readonly StoredAccount[], path: string): Promise<void> {
  const documents = accounts.map(({ consumerKey, journal: { first, events } }) =>
    JSON.stringify({ kredo: VERSION, consumer_key: consumerKey, number: first, events }),
  );
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, [`{"kredo":${JSON.stringify(VERSION)},"accounts":[`, documents.join(",\n"), "]}\n"], {
    mode: 0o600,
  });
  await rename(unfinished, path);
}

function parseSnapshot(text: string, file: string): AccountJournal[] {
  const json = readJson(text);
  const isOne = valueAt(json, "events") !== undefined;
  const read = isOne ? readAs(accountDocument, { json, text, file }) : readAs(snapshotDocument, { json, text, file });
  if (!("accounts" in read)) return [accountOf(read, ["events"], { text, file })];
  return read.accounts.map((account, index) => accountOf(account, ["accounts", index, "events"], { text, file }));
}

interface SnapshotText {
  readonly text: string;
  readonly file: string;
}

/** Finds lines and columns only if something is wrong, because that takes long in a long file. */
function readAs<Schema extends z.ZodType>(
  schema: Schema,
  { json, text, file }: SnapshotText & { json: unknown },
): z.output<Schema> {
  const right = json === undefined ? undefined : schema.safeParse(json);
  if (right?.success) return right.data;
  const parsed = parseDocument(text, schema, file);
  if ("value" in parsed) return parsed.value;
  throw new CliError(2, parsed.problems.map(formatProblem).join("\n"));
}

/** Trusted, because whoever names the file owns this machine. */
function accountOf(
  { consumer_key: consumerKey, events }: AccountDocument,
  path: Path,
  { text, file }: SnapshotText,
): AccountJournal {
  try {
    return { consumerKey, events: importJournal(events, consumerKey, true) };
  } catch (error) {
    const problem = `the journal is inconsistent: ${messageOf(error)}`;
    const where = locate(readYaml(text), { path, spot: "value" });
    throw new CliError(
      2,
      formatProblem({ file, ...where, path: formatPath(path), problem, repair: "use an export without changes" }),
    );
  }
}

function complainOfTwice(context: z.RefinementCtx, key: string, index: number): void {
  complain(context, {
    path: [index, "consumer_key"],
    problem: `${quote(key)} is already the key of an earlier account`,
    repair: "keep one of the two",
  });
}
