import { rename, writeFile } from "node:fs/promises";
import * as z from "zod";
import { importJournal } from "../../control/import-journal.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { explainIssues } from "../../gateway/document/explain-issues.ts";
import { formatMistake, formatPath } from "../../gateway/document/problem.ts";
import { addProblem } from "../../gateway/document/values.ts";
import type { StoredAccount } from "../../gateway/engine/account.ts";
import { journalDocument } from "../../control/journal.ts";
import { type Files, reasonUnread } from "../../gateway/adapters/files/files-on-disk.ts";
import type { AccountJournal } from "../../storage/journal/journals.ts";
import { VERSION } from "../../version.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import { parseJsonOrUndefined } from "../../control/client/control-client.ts";
import { valueAt } from "../terminal/json-view.ts";
import type { NamedFile } from "./state-files.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";

const snapshotDocument = z.strictObject({
  kredo: z.string(),
  accounts: z.array(journalDocument).superRefine((accounts, context) => {
    const keys = accounts.map((account) => account.consumer_key);
    for (const [index, key] of keys.entries()) if (keys.indexOf(key) < index) complainOfTwice(context, key, index);
  }),
});

/** Reads the accounts of a snapshot, or of an account's export. Throws a CliError with the path of each mistake. */
export function readSnapshot({ path, place }: NamedFile, files: Files): AccountJournal[] {
  const content = files.read(path);
  const problem =
    "text" in content
      ? `${quoteText(path)} is not JSON`
      : `${quoteText(path)} cannot be read (${reasonUnread(content)})`;
  const json = "text" in content ? parseJsonOrUndefined(content.text) : undefined;
  if (json === undefined)
    throw invalidInput(place, { problem, repair: "write the path of a snapshot, or of an account's export" });
  if (valueAt(json, "events") !== undefined) return [accountOf(parse(journalDocument, json, path), `${path}  events`)];
  const { accounts } = parse(snapshotDocument, json, path);
  return accounts.map((account, index) => accountOf(account, `${path}  accounts[${index}].events`));
}

function parse<Schema extends z.ZodType>(schema: Schema, json: unknown, file: string): z.output<Schema> {
  const parsed = schema.safeParse(json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const mistakes = explainIssues(parsed.error.issues, schema);
  const lines = mistakes.map((mistake) => `${file}  ${formatMistake(formatPath(mistake.path), mistake)}`);
  throw new CliError(2, lines.join("\n"));
}

/** Trusted, because whoever names the file owns this machine. */
function accountOf(
  { consumer_key: consumerKey, events }: z.output<typeof journalDocument>,
  place: string,
): AccountJournal {
  try {
    return { consumerKey, events: importJournal(events, { consumer_key: consumerKey }, () => true) };
  } catch (error) {
    const problem = `the journal is inconsistent: ${messageOf(error)}`;
    throw invalidInput(place, { problem, repair: "use an export without changes" });
  }
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

function complainOfTwice(context: z.RefinementCtx, key: string, index: number): void {
  addProblem(context, {
    path: [index, "consumer_key"],
    problem: `${quoteText(key)} is already the key of an earlier account`,
    repair: "keep one of the two",
  });
}
