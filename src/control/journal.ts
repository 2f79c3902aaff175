import { Hono } from "hono";
import * as z from "zod";
import { isRequestEvent } from "../gateway/account/event-guards.ts";
import { importJournal } from "./import-journal.ts";
import { accountEvent, type AccountEvent } from "../gateway/account/account-event.ts";
import { consumerKeyValue } from "../gateway/settings/account.ts";
import { addProblem } from "../gateway/document/values.ts";
import { messageOf } from "../gateway/domain/message-of.ts";
import { VERSION } from "../version.ts";
import { HttpProblem } from "./problem.ts";
import { accountJson, accountShape } from "./accounts.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import type { Json } from "./json.ts";
import { answerInTurn } from "./in-turn.ts";
import { validBody, validQuery } from "./validate.ts";

/** An account as one document: the result of an export and the input of an import. */
export const journalDocument = z.strictObject({
  kredo: z.string().describe("The version that wrote it."),
  consumer_key: consumerKeyValue.describe("The account that it came from; the importing account keeps its own key."),
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
    return addProblem(context, { path: [index], problem, repair: "import an unchanged export" });
  }
}

const exportQuery = z.strictObject({
  wall_time: z
    .enum(["omit", "keep"])
    .describe(
      "keep also tells, on a manual clock, when requests came, and how long receivers and clients took. Default: omit.",
    )
    .prefault("omit"),
});

export const journalCalls = new Hono<AccountEnv>()
  .get(
    "/export",
    describeRoute(
      "Export the account's journal as one document. With a manual clock, the same seed gives the same document",
      journalDocument,
    ),
    validQuery(exportQuery),
    answerInTurn(() => true),
    (c) => c.json(exported(c.var.account, c.req.valid("query").wall_time)),
  )
  .put(
    "/import",
    describeRoute(
      "Replace the account's journal with an exported one. The consumer key and secret stay, and pending work continues",
      accountShape,
    ),
    validBody(journalDocument),
    (c) => {
      const { account, isTrusted } = c.var;
      const trusts = (url: string): boolean => isTrusted || account.isOwnersUrl(url);
      const { consumer_key, consumer_secret, any_secret } = account.state.settings;
      account.import(imported(c.req.valid("json").events, { consumer_key, consumer_secret, any_secret }, trusts));
      return c.json(accountJson(account));
    },
  );

function exported(account: RunningAccount, wallTime: "omit" | "keep"): Json<typeof journalDocument> {
  const { first, events } = account.journal.read();
  const isRepeatable = account.state.clock.mode === "manual" && wallTime === "omit";
  return {
    kredo: VERSION,
    consumer_key: account.consumerKey,
    number: first,
    events: isRepeatable ? events.map(withoutWallTime) : events,
  };
}

/** What was measured on a socket differs from run to run. */
function withoutWallTime(event: AccountEvent): AccountEvent {
  if (event.kind === "attempted" || event.kind === "copied") return { ...event, millis: 0 };
  if (event.kind === "client-left" || event.kind === "client-waits") return { ...event, waited: 0 };
  if (!isRequestEvent(event) || event.traits?.wallAt === undefined) return event;
  const { wallAt: _wallAt, ...traits } = event.traits;
  return { ...event, traits };
}

function imported(...journal: Parameters<typeof importJournal>): AccountEvent[] {
  try {
    return importJournal(...journal);
  } catch (error) {
    throw new HttpProblem(422, [
      `events: the journal is inconsistent: ${messageOf(error)}`,
      "import an unchanged export",
    ]);
  }
}
