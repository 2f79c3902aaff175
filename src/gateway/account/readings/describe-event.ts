import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { describeOutcome } from "../../domain/explain-outcome.ts";
import { showKes } from "../../domain/kes.ts";
import { GATEWAY_PATHS } from "../../domain/order.ts";
import { formatDuration, type Millis } from "../../domain/time.ts";
import type { AppliedRules } from "../../scenario/applied-rules.ts";
import { type ScriptedCallback, scriptedKeys, spoiltBy } from "../../scenario/effects/callback-flags.ts";
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
import { describeOrder } from "./describe-order.ts";
import { answerTo } from "./order.ts";
import { counted } from "../../domain/counted.ts";

/** One event in words. The log, the timelines, the report and the page print these parts and add none of their own. */
export interface EventWords {
  /** What it is about: "airtime 254712345678 KES 50.00", "result", "callback 1". */
  readonly title: string;
  /** What was answered, if that was one number or word: "200", "timed_out". */
  readonly status?: string;
  /** What happened, cause first, as part of a sentence. */
  readonly outcome: string;
  /** What else is worth knowing: the route, how long it took, how a scenario sent it. */
  readonly details: readonly string[];
  readonly repair?: string;
  readonly tone: "plain" | "good" | "warm" | "bad";
}

/** Events about requests and what becomes of them. Changes of the account are described by the log alone. */
export type DescribedEvent = RequestEvent | TransactionEvent | ClientWaits;

/** `limit` is the account's time limit for a receiver's answer. */
export function describe(event: DescribedEvent, limit: Millis): EventWords {
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
      return describeAttempted(event, limit);
    case "copied":
      return describeCopied(event, limit);
    case "resend-requested":
      return {
        title: "resend",
        outcome: `a resend of the ${event.scripted === undefined ? "" : "edited "}callback was requested`,
        details: [],
        tone: "plain",
      };
  }
}

/** Writes what happened, and the given details, as part of a sentence: "402 Insufficient funds: top up (5 ms)". */
export function asClause(
  { status, outcome, repair }: Pick<EventWords, "status" | "outcome" | "repair">,
  details: string,
): string {
  const words = `${status === undefined || outcome.includes(`answered ${status}`) ? "" : `${status} `}${outcome}`;
  const ending = repair === undefined ? "" : `: ${repair}`;
  const beside = details === "" ? "" : ` (${details.replace(/\.(?=; |$)/g, "")})`;
  return `${ending === "" ? words : words.replace(/\.$/, "")}${ending}${beside}`;
}

/** Writes everything but the title as a sentence. */
export function asSentence(words: EventWords): string {
  const clause = asClause(words, words.details.join("; "));
  return `${capital(clause)}${clause.endsWith(".") ? "" : "."}`;
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
  const answered = answerTo({ statusCode: 200, order, rules });
  const isOwn = answered.by === "gateway";
  const parts = measure && `${counted(measure.parts, "part")} ${measure.encoding}`;
  const due =
    plan.settleAfter === "never"
      ? "no result will come"
      : `the result is due after ${formatDuration(plan.settleAfter)}`;
  const route = ported ? `${carrier}, ported` : carrier;
  const held = `KES ${showKes(hold)} held`;
  return {
    title: `${order.operation} ${describeOrder(order)}`,
    status: isOwn ? String(answered.status) : undefined,
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

function describeSettled({
  outcome,
  resultCode,
  resultDesc,
  charge,
  unpaid,
  available,
  callback,
}: Settled): EventWords {
  const more = unpaid === undefined ? "" : `; KES ${showKes(unpaid)} more could not be paid`;
  const none = "none" in callback ? `; ${callback.none}` : "";
  return {
    title: "result",
    status: String(resultCode),
    outcome: `KES ${showKes(charge)} charged, KES ${showKes(available)} available${more}${none}`,
    details: [resultDesc],
    tone: outcome === "succeeded" ? "good" : "bad",
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

function describeAttempted(event: Attempted, limit: Millis): EventWords {
  const { attempt, url, outcome, millis, scripted, possiblyRepeated } = event;
  const { seen, repair } = describeOutcome(outcome, { url, timeout: limit });
  const isGood = isAcknowledged(outcome);
  return {
    title: `callback ${attempt}`,
    status: "status" in outcome ? String(outcome.status) : undefined,
    outcome: seen,
    details: [
      `${Math.round(millis).toLocaleString("en")} ms`,
      ...(possiblyRepeated ? ["possibly repeated: the sandbox stopped during the previous attempt"] : []),
      ...(scripted === undefined ? [] : [describeSending(scripted)]),
    ],
    repair: isGood ? undefined : repair,
    tone: isGood ? "good" : isRightlyRefused(event) ? "plain" : "bad",
  };
}

/** Whatever a copy's receiver answers, it decides nothing. */
function describeCopied({ attempt, url, outcome, millis }: Copied, limit: Millis): EventWords {
  return {
    title: `copy of callback ${attempt}`,
    status: "status" in outcome ? String(outcome.status) : undefined,
    outcome: describeOutcome(outcome, { url, timeout: limit }).seen,
    details: [`${Math.round(millis).toLocaleString("en")} ms`],
    tone: "plain",
  };
}

function describeSending(scripted: ScriptedCallback): string {
  const keys = scriptedKeys(scripted);
  return keys.length === 0 ? "scripted" : `scripted: ${keys.join(", ")}`;
}

/** A good receiver may refuse a callback that it cannot read or does not know. */
function isRightlyRefused({ outcome, scripted = {} }: Attempted): boolean {
  return spoiltBy(scripted) !== undefined && outcome.kind === "answered" && outcome.status < 500;
}
