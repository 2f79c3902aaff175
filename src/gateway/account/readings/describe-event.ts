import { counted } from "../../domain/counted.ts";
import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { describeOutcome } from "../../domain/explain-outcome.ts";
import { showKes } from "../../domain/kes.ts";
import { GATEWAY_PATHS } from "../../domain/order.ts";
import { formatDuration, type Millis } from "../../domain/time.ts";
import type { AppliedRules } from "../../scenario/effects/applied-rules.ts";
import type {
  Accepted,
  Attempted,
  ClientLeft,
  ClientWaits,
  Copied,
  RequestEvent,
  RequestRefused,
  Reversed,
  Settled,
  TransactionEvent,
} from "../events.ts";
import { isUnresolved, type Transaction } from "../transaction.ts";
import type { CallbackForm } from "../wire.ts";
import { answerOf } from "./answer.ts";
import { isReceived, readAttempt } from "./callback.ts";
import { describeOrder, describeMeaningWithCode } from "./describe-order.ts";
import { differsFromResult, isJustifiedRejection, type CallbackMeaning, meaningOf } from "./request.ts";

/** One event in words. The log, the timelines, the report and the page print these parts and add none of their own. */
export interface EventWords {
  /** What it is about: "airtime 254712345678 KES 50.00", "result", "callback 1". */
  readonly title: string;
  /** What was answered, if that was one number or word: "200", "timed_out". */
  readonly status?: string;
  /** What a callback said that reached its receiver: "failed, result 500", "unreadable: not JSON". */
  readonly said?: string;
  /** What happened, cause first, as part of a sentence. */
  readonly outcome: string;
  /** What else is worth knowing: the route, how long it took, how a scenario sent it. */
  readonly details: readonly string[];
  readonly repair?: string;
  readonly tone: "plain" | "good" | "warm" | "bad";
}

/** Events about requests and what becomes of them. Changes of the account are described by the log alone. */
export type DescribedEvent = RequestEvent | TransactionEvent | ClientWaits;

/** What the words of an event depend on besides the event. */
export interface EventContext {
  /** The account's time limit for a receiver's answer. */
  readonly limit: Millis;
  /** The transaction of the event, which determines what its callbacks said. */
  readonly transaction?: Pick<Transaction, "accepted" | "progress" | "left"> | undefined;
  /** The form of the account's callbacks; by default that of the gateway's document. */
  readonly form?: CallbackForm;
  /** What to call the receiver; its URL if left out. */
  readonly receiver?: string;
}

export function describe(event: DescribedEvent, context: EventContext): EventWords {
  switch (event.kind) {
    case "accepted":
      return describeAccepted(event);
    case "refused":
      return describeRefused(event);
    case "queried":
      return {
        title: "account-details",
        status: "200",
        outcome: `KES ${showKes(event.available)} available`,
        details: [],
        tone: "plain",
      };
    case "cut": {
      const title =
        event.order === undefined ? "account-details" : `${event.order.operation} ${describeOrder(event.order)}`;
      const outcome = `the connection broke before acceptance (${event.breakage})`;
      return { title, status: "cut", outcome, details: [], tone: "bad" };
    }
    case "client-left":
      return describeWait("client left", "gone", event);
    case "client-waits":
      return describeWait("client waits", "still waiting", event);
    case "settled":
      return describeSettled(event);
    case "reversed":
      return describeReversed(event);
    case "attempt-begun":
      return { title: "callback started", outcome: "its outcome is not known yet", details: [], tone: "plain" };
    case "attempted":
      return describeAttempted(event, context);
    case "copied":
      return describeCopied(event, context);
    case "resend-requested":
      return {
        title: "resend",
        outcome: `a resend of the ${event.scripted === undefined ? "" : "edited "}callback was requested`,
        details: [],
        tone: "plain",
      };
  }
}

/**
 * Writes what happened, and the given details, as part of a sentence: "402 Insufficient funds: top up (5 ms)", "said: failed, result 500;
 * http://127.0.0.1:3000 answered 200 (4 ms)".
 */
export function asClause(
  { said, ...words }: Pick<EventWords, "status" | "said" | "outcome" | "repair">,
  details: string,
): string {
  const clause = outcomeClause(words, details);
  return said === undefined ? clause : `said: ${said}; ${clause}`;
}

function outcomeClause(
  { status, outcome, repair }: Pick<EventWords, "status" | "outcome" | "repair">,
  details: string,
): string {
  const words = `${status === undefined || outcome.includes(`answered ${status}`) ? "" : `${status} `}${outcome}`;
  const ending = repair === undefined ? "" : `: ${repair}`;
  const beside = details === "" ? "" : ` (${details.replace(/\.(?=; |$)/g, "")})`;
  return `${ending === "" ? words : words.replace(/\.$/, "")}${ending}${beside}`;
}

/** Writes everything but the title as sentences: "Said: failed, result 500. http://127.0.0.1:3000 answered 200 (4 ms)." */
export function asSentence({ said, ...words }: EventWords): string {
  const clause = outcomeClause(words, words.details.join("; "));
  return `${said === undefined ? "" : `Said: ${said}. `}${capital(clause)}${clause.endsWith(".") ? "" : "."}`;
}

/** A URL stays as it is. */
export function capital(words: string): string {
  if (/^https?:/.test(words)) return words;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** "s: r" for each rule that fired. */
export function firedRules({ fired = [] }: Partial<AppliedRules> = {}): readonly string[] {
  return fired.map(({ scenario, rule }) => `${scenario}: ${rule}`);
}

/** The path of a request, where its event does not have it. */
export function describePath(event: RequestEvent): string {
  if (event.kind === "refused") return `${event.method} ${event.path}`;
  const order = "order" in event ? event.order : undefined;
  return order === undefined ? `GET ${GATEWAY_PATHS["account-details"]}` : `POST ${GATEWAY_PATHS[order.operation]}`;
}

function describeAccepted(event: Accepted): EventWords {
  const { order, carrier, ported, measure, hold, plan, rules } = event;
  const answer = answerOf(event);
  const isOwn = answer.says === "accepted";
  const parts = measure && `${counted(measure.parts, "part")} ${measure.encoding}`;
  const due =
    plan.settleAfter === "never"
      ? "no result will come"
      : `the result is due after ${formatDuration(plan.settleAfter)}`;
  const route = ported ? `${carrier}, ported` : carrier;
  const held = `KES ${showKes(hold)} held`;
  return {
    title: `${order.operation} ${describeOrder(order)}`,
    status: isOwn ? String(answer.status) : undefined,
    outcome: `accepted${describeAnswer(isOwn, rules)}`,
    details: parts === undefined ? [route, held, due] : [route, parts, held, due],
    tone: isOwn ? "plain" : "bad",
  };
}

function describeAnswer(isOwn: boolean, { ack, breakage }: Partial<AppliedRules> = {}): string {
  const { delay = 0, status = 200, body } = ack ?? {};
  const late = delay === 0 ? "" : `, acknowledged ${formatDuration(delay)} later`;
  if (breakage !== undefined) return `, but the connection was broken (${breakage})${late}`;
  return isOwn ? late : `, but answered ${status}${body === undefined ? "" : " with another body"}${late}`;
}

function describeRefused(event: RequestRefused): EventWords {
  const { code, description, validationErrors = {}, hint, order, operation } = event;
  return {
    title: order === undefined ? (operation ?? describePath(event)) : `${order.operation} ${describeOrder(order)}`,
    status: String(code),
    outcome: [description, ...Object.values(validationErrors).flat()].join(" "),
    details: [],
    repair: hint,
    tone: code >= 500 ? "bad" : "warm",
  };
}

function describeWait(title: string, how: string, { waited }: ClientLeft | ClientWaits): EventWords {
  const outcome = `${how} after ${Math.round(waited).toLocaleString("en")} ms, before its acknowledgment`;
  return { title, outcome, details: [], tone: "bad" };
}

function describeSettled(settled: Settled): EventWords {
  const { outcome, resultCode, resultDesc, charge, unpaid, available, callback } = settled;
  const more = unpaid === undefined ? "" : `; KES ${showKes(unpaid)} more could not be paid`;
  const none = "none" in callback ? `; ${callback.none}` : "";
  return {
    title: "result",
    status: String(resultCode),
    outcome: `KES ${showKes(charge)} charged, KES ${showKes(available)} available${more}${none}`,
    details: [resultDesc],
    // A carrier may well be right to fail an order.
    tone: outcome === "succeeded" ? "good" : "plain",
  };
}

function describeReversed({ resultCode, resultDesc, refund, available }: Reversed): EventWords {
  return {
    title: "reversal",
    status: String(resultCode),
    outcome: `the success was taken back: KES ${showKes(refund)} returned, KES ${showKes(available)} available`,
    details: [resultDesc],
    tone: "bad",
  };
}

function describeAttempted(event: Attempted, { limit, transaction, form, receiver }: EventContext): EventWords {
  const { attempt, url, outcome, millis, possiblyRepeated } = event;
  const { seen, repair } = describeOutcome(outcome, { url, timeout: limit, receiver });
  const meaning =
    transaction && isReceived(event) ? meaningOf(readAttempt(event, transaction, form), transaction) : undefined;
  return {
    title: `callback ${attempt}`,
    status: "status" in outcome ? String(outcome.status) : undefined,
    said: meaning && describeMeaningWithCode(meaning),
    outcome: seen,
    details: [
      `${Math.round(millis).toLocaleString("en")} ms`,
      ...(meaning && "code" in meaning && isIdUnread(transaction) ? ["under an id that your backend never got"] : []),
      ...(possiblyRepeated ? ["possibly repeated: the sandbox stopped during the previous attempt"] : []),
    ],
    repair: isAcknowledged(outcome) ? undefined : repair,
    tone: toneOf(event, meaning, transaction),
  };
}

/** A result under the order's own id is of little use to a client that never got that id. */
export function isIdUnread(transaction: EventContext["transaction"]): boolean {
  if (transaction === undefined) return false;
  const { says } = answerOf(transaction.accepted, transaction.left);
  return says === "none" || says === "unclear";
}

function toneOf(
  event: Attempted,
  meaning: CallbackMeaning | undefined,
  transaction: EventContext["transaction"],
): EventWords["tone"] {
  const isWell = isAcknowledged(event.outcome);
  if (meaning === undefined || transaction === undefined || isUnresolved(transaction.progress))
    return isWell ? "good" : "bad";
  const { progress } = transaction;
  if (!isWell) return isJustifiedRejection(event, meaning, progress) ? "warm" : "bad";
  if (differsFromResult(meaning, progress) || isIdUnread(transaction)) return "warm";
  return meaning.says === "failed" ? "plain" : "good";
}

/** Whatever a copy's receiver answers, it decides nothing. */
function describeCopied({ attempt, url, outcome, millis }: Copied, { limit }: EventContext): EventWords {
  return {
    title: `copy of callback ${attempt}`,
    status: "status" in outcome ? String(outcome.status) : undefined,
    outcome: describeOutcome(outcome, { url, timeout: limit }).seen,
    details: [`${Math.round(millis).toLocaleString("en")} ms`],
    tone: "plain",
  };
}
