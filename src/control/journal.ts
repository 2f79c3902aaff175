import * as z from "zod";
import { importJournal } from "./import-journal.ts";
import { accountEvent, type AccountEvent } from "../gateway/account/account-event.ts";
import { complain } from "../gateway/document/values.ts";
import { messageOf } from "../gateway/domain/message-of.ts";
import { HttpProblem } from "./problem.ts";
import { accountJson, accountShape } from "./accounts.ts";
import { accountRoute, type ControlRoute } from "./route.ts";

/** An account as one document: the result of an export and the input of an import. */
export const journalDocument = z.strictObject({
  kredo: z.string().describe("The version that wrote it."),
  consumer_key: z.string().describe("The account that it came from; the importing account keeps its own key."),
  number: z.int().min(1).describe("The number of the first event when it was exported."),
  events: z
    .array(z.custom<AccountEvent>().meta({ type: "object" }))
    .min(1)
    .superRefine(complainOfFirst)
    .describe("The journal, oldest event first."),
});

/** A large document may contain millions of values that are no events. */
function complainOfFirst(events: readonly unknown[], context: z.RefinementCtx): void {
  for (const [index, event] of events.entries()) {
    const [issue] = accountEvent.safeParse(event).error?.issues ?? [];
    if (issue === undefined) continue;
    const problem = `is not an event of a journal (${issue.path.join(".") || "kind"}: ${issue.message})`;
    return complain(context, { path: [index], problem, repair: "import an unchanged export" });
  }
}

export const JOURNAL_ROUTES: readonly ControlRoute[] = [
  accountRoute("GET", "/export", {
    summary: "Export the account's journal as one document",
    answer: journalDocument,
    serve({ account, version }) {
      const { first, events } = account.read();
      return { kredo: version, consumer_key: account.consumerKey, number: first, events };
    },
  }),
  accountRoute("PUT", "/import", {
    summary: "Replace the account's journal with an exported one. The consumer key stays, and pending work continues",
    body: journalDocument,
    answer: accountShape,
    serve({ account, body, isTrusted }) {
      account.import(imported(body.events, account.consumerKey, isTrusted));
      return accountJson(account);
    },
  }),
];

function imported(events: readonly AccountEvent[], consumerKey: string, isTrusted: boolean): AccountEvent[] {
  try {
    return importJournal(events, consumerKey, isTrusted);
  } catch (error) {
    throw new HttpProblem(422, [
      `events: the journal is inconsistent: ${messageOf(error)}`,
      "import an unchanged export",
    ]);
  }
}
