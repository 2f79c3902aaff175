import type { Accepted, Attempted, RequestEvent } from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../account/event-guards.ts";
import { isOfGateway } from "../domain/refusal.ts";
import type { AppliedRules } from "../scenario/applied-rules.ts";
import { spoiltBy } from "../scenario/effects/callback-flags.ts";

/** What the gateway did for one order, and what the application could know of it. */
export interface OrderTruth {
  /** Gateway requests for it, in order. */
  readonly requests: readonly RequestEvent[];
  readonly accepted: number;
  readonly delivered: number;
  /** It was accepted, and its result will never come. */
  readonly neverSettles: boolean;
  /** Whether a final refusal, or an intact callback about a complete acknowledgment, told the application the outcome. */
  readonly couldKnow: boolean;
  /** Callbacks that reached the application. */
  readonly callbacks: readonly Attempted[];
  /** Its client waited for an answer longer than any client should; so did one that asked for account details, which name no order. */
  readonly waitsForever: boolean;
}

/** Reads what happened to the order that this phone number stands for. */
export function readOrderTruth(events: readonly AccountEvent[], phoneNumber: string): OrderTruth {
  const requests = events.filter(isRequestEvent).filter((event) => "order" in event && event.order?.phoneNumber === phoneNumber);
  const accepted = requests.filter((event) => event.kind === "accepted");
  const ids = new Set(accepted.map(({ requestId }) => requestId));
  const settled = events.flatMap((event) => (event.kind === "settled" && ids.has(event.requestId) ? [event] : []));
  const callbacks = events.flatMap((event) => (event.kind === "attempted" && ids.has(event.requestId) && isReceived(event) ? [event] : []));
  const left = new Set(events.flatMap((event) => (event.kind === "client-left" ? [event.requestId] : [])));
  const delivered = settled.filter(({ outcome }) => outcome === "succeeded").length;
  const isTold = accepted.some((one) => isAcknowledged(one, left) && isReported(callbacks.filter((it) => it.requestId === one.requestId)));
  return {
    requests,
    accepted: accepted.length,
    delivered,
    neverSettles: delivered === 0 && accepted.some(({ plan }) => plan.settleAfter === "never"),
    couldKnow: isTold || (requests.length > 0 && requests.every(isFinalRefusal)),
    callbacks,
    waitsForever: isWaiting(events, requests),
  };
}

function isWaiting(events: readonly AccountEvent[], requests: readonly RequestEvent[]): boolean {
  const waiting = new Set(events.flatMap((event) => (event.kind === "client-waits" ? [event.requestId] : [])));
  if (waiting.size === 0) return false;
  return [...requests, ...events.filter(isRequestEvent).filter(isDetailsRequest)].some(({ requestId }) => waiting.has(requestId));
}

/** A whole acknowledgment, which named the request_id and reached a client that was still there. */
function isAcknowledged({ requestId, rules }: Accepted, left: ReadonlySet<string>): boolean {
  return !left.has(requestId) && (rules === undefined || (isWhole(rules) && isOwn(rules)));
}

function isWhole({ breakage }: AppliedRules): boolean {
  return breakage === undefined || breakage === "drip";
}

function isOwn({ ack }: AppliedRules): boolean {
  return ack === undefined || (ack.body === undefined && (ack.status ?? 200) < 300);
}

/** Intact callbacks that agree with one another. */
function isReported(callbacks: readonly Attempted[]): boolean {
  const intact = callbacks.filter(isIntact);
  return intact.length > 0 && !callbacks.some(({ scripted }) => scripted?.contradict === true);
}

/** A wrong content type alone spoils nothing: the body says it all. */
function isIntact({ scripted = {} }: Attempted): boolean {
  const { wrong_content_type: _type, ...rest } = scripted;
  return spoiltBy(rest) === undefined;
}

function isReceived({ outcome: { kind } }: Attempted): boolean {
  return kind === "answered" || kind === "redirect" || kind === "timed_out" || kind === "reset";
}

/** Refusals that the same order would get again. A lack of money, of access or of patience may pass. */
const FINAL = new Set([400, 404, 405, 413, 415, 422]);

function isFinalRefusal(event: RequestEvent): boolean {
  return event.kind === "refused" && event.answer === undefined && isOfGateway(event.code) && FINAL.has(event.code);
}
