import type { Accepted, Attempted, RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import { isOfGateway } from "../../gateway/domain/refusal.ts";
import type { AppliedRules } from "../../gateway/scenario/applied-rules.ts";
import { spoiltBy } from "../../gateway/scenario/effects/callback-flags.ts";

/** What the gateway did for one order, and what the application could know about it. */
export interface OrderTruth {
  /** The gateway requests for it, in order. */
  readonly requests: readonly RequestEvent[];
  readonly accepted: number;
  readonly delivered: number;
  /** Whether it was accepted but its result will never arrive. */
  readonly neverSettles: boolean;
  /** Whether a final refusal, or an intact callback after a complete acknowledgment, told the application the outcome. */
  readonly couldKnow: boolean;
  /** The callbacks that reached the application. */
  readonly callbacks: readonly Attempted[];
  /**
   * Whether its client waited for a response longer than any client should. Also set if a request for account details did, because those
   * name no order.
   */
  readonly waitsForever: boolean;
}

/** Reads what happened to the order with this phone number. */
export function readOrderTruth(events: readonly AccountEvent[], phoneNumber: string): OrderTruth {
  const requests = events
    .filter(isRequestEvent)
    .filter((event) => "order" in event && event.order?.phoneNumber === phoneNumber);
  const accepted = requests.filter((event) => event.kind === "accepted");
  const ids = new Set(accepted.map(({ requestId }) => requestId));
  const settled = events.flatMap((event) => (event.kind === "settled" && ids.has(event.requestId) ? [event] : []));
  const callbacks = events.flatMap((event) =>
    event.kind === "attempted" && ids.has(event.requestId) && isReceived(event) ? [event] : [],
  );
  const left = new Set(events.flatMap((event) => (event.kind === "client-left" ? [event.requestId] : [])));
  const delivered = settled.filter(({ outcome }) => outcome === "succeeded").length;
  const isTold = accepted.some(
    (one) => isAcknowledged(one, left) && isReported(callbacks.filter((it) => it.requestId === one.requestId)),
  );
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
  return [...requests, ...events.filter(isRequestEvent).filter(isDetailsRequest)].some(({ requestId }) =>
    waiting.has(requestId),
  );
}

/** Returns whether the acknowledgment was complete: it contained the request_id and reached a client that was still connected. */
function isAcknowledged({ requestId, rules }: Accepted, left: ReadonlySet<string>): boolean {
  return !left.has(requestId) && (rules === undefined || (isWhole(rules) && isOwn(rules)));
}

function isWhole({ breakage }: AppliedRules): boolean {
  return breakage === undefined || breakage === "drip";
}

function isOwn({ ack }: AppliedRules): boolean {
  return ack === undefined || (ack.body === undefined && (ack.status ?? 200) < 300);
}

/** Returns whether there were intact callbacks and none contradicts another. */
function isReported(callbacks: readonly Attempted[]): boolean {
  const intact = callbacks.filter(isIntact);
  return intact.length > 0 && !callbacks.some(({ scripted }) => scripted?.contradict === true);
}

/** Returns whether the callback was intact. A wrong content type alone does no harm, because the body is complete. */
function isIntact({ scripted = {} }: Attempted): boolean {
  const { wrong_content_type: _type, ...rest } = scripted;
  return spoiltBy(rest) === undefined;
}

function isReceived({ outcome: { kind } }: Attempted): boolean {
  return kind === "answered" || kind === "redirect" || kind === "timed_out" || kind === "reset";
}

/** Refusals that the same order would always get. A lack of funds, access or rate limit may be temporary. */
const FINAL = new Set([400, 404, 405, 413, 415, 422]);

function isFinalRefusal(event: RequestEvent): boolean {
  return event.kind === "refused" && event.answer === undefined && isOfGateway(event.code) && FINAL.has(event.code);
}
