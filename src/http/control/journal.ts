import * as z from "zod";
import { type JournalOwner, adoptJournal } from "../../account/adopt-journal.ts";
import { printSavedRun, saveRun } from "../../account/saved-run/save-run.ts";
import { accountEvent, type AccountEvent } from "../../account/account-event.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Account } from "../../engine/account.ts";
import { HttpProblem } from "../problem.ts";
import { accountJson, accountShape } from "./accounts.ts";
import { accountEndpoint, type Endpoint } from "./endpoint.ts";

/** An account as one document: the result of an export and the input of an import. */
export const journalDocument = z.strictObject({
  kredo: z.string().describe("The version that wrote it."),
  consumer_key: z.string().describe("The account that it came from; the importing account keeps its own key."),
  number: z.int().min(1).describe("The number of the first event when it was exported."),
  events: z
    .array(
      z
        .custom<AccountEvent>((value) => problemOf(value) === undefined, { error: ({ input }) => problemOf(input) })
        .meta({ type: "object" }),
    )
    .min(1)
    .describe("The journal, oldest event first."),
});

function problemOf(value: unknown): string | undefined {
  const [issue] = accountEvent.safeParse(value).error?.issues ?? [];
  return issue && `is not an event of a journal (${issue.path.join(".") || "kind"}: ${issue.message})`;
}

export const JOURNAL_ENDPOINTS: readonly Endpoint[] = [
  accountEndpoint(
    {
      method: "get",
      path: "/accounts/{account}/export",
      summary: "Export the account as one document: its journal, or a scenario that repeats its run",
      query: z.strictObject({
        as: z
          .enum(["journal", "scenario"])
          .describe(
            "scenario returns a file that leads to the same callbacks if a fresh account gets the same requests in the same order.",
          )
          .prefault("journal"),
      }),
      answers: { 200: { description: "The account", schema: journalDocument, mediaType: "application/yaml" } },
    },
    ({ account, query, version }) => {
      if (query.as === "scenario") return answerScenario(account);
      const { first, events } = account.read();
      return { kredo: version, consumer_key: account.consumerKey, number: first, events };
    },
  ),
  accountEndpoint(
    {
      method: "put",
      path: "/accounts/{account}/import",
      summary: "Replace the account's journal with an exported one. The consumer key stays, and pending work continues",
      body: journalDocument,
      answers: { 200: { description: "The account after the import", schema: accountShape } },
    },
    ({ account, body, isTrusted }) => {
      account.import(adopted(body.events, { consumerKey: account.consumerKey, trusted: isTrusted }));
      return accountJson(account);
    },
  ),
];

function answerScenario(account: Account): Response {
  const saved = saveRun(account.read(), account.moment(account.now()).random);
  if (saved === undefined)
    throw new HttpProblem(410, [
      `the beginning of this run was evicted: a scenario needs all requests, but ${account.evicted} can no longer be looked up`,
      "raise journal.max_transactions, or reset the account and save a shorter run",
    ]);
  return new Response(printSavedRun(saved), { headers: { "content-type": "application/yaml" } });
}

function adopted(events: z.output<typeof journalDocument>["events"], owner: JournalOwner): AccountEvent[] {
  try {
    return adoptJournal(events, owner);
  } catch (error) {
    throw new HttpProblem(422, [
      `events: the journal is inconsistent: ${messageOf(error)}`,
      "import an unchanged export",
    ]);
  }
}
