import type { Attempted, RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import { addKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { isOfGateway } from "../../gateway/domain/refusal.ts";
import type { AppliedRules } from "../../gateway/scenario/applied-rules.ts";
import { spoiltBy } from "../../gateway/scenario/effects/callback-flags.ts";

/** What the gateway did for one order, and what the application could know about it. */
export interface OrderTruth {
  /** The gateway requests for it, in order. */
  readonly requests: readonly RequestEvent[];
  readonly accepted: number;
  readonly delivered: number;
  /** What the gateway charged for it. */
  readonly charged: Kes;
  /** Whether it was accepted but its result will never arrive. */
  readonly neverSettles: boolean;
  /** Whether the application was told what became of each of its requests. */
  readonly isTold: boolean;
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
  const succeeded = events.flatMap((event) =>
    event.kind === "settled" && ids.has(event.requestId) && event.outcome === "succeeded" ? [event] : [],
  );
  const callbacks = events.flatMap((event) =>
    event.kind === "attempted" && ids.has(event.requestId) && isReceived(event) ? [event] : [],
  );
  const left = idsOf(events, "client-left");
  const waiting = idsOf(events, "client-waits");
  return {
    requests,
    accepted: accepted.length,
    delivered: succeeded.length,
    charged: succeeded.reduce((sum, { charge }) => addKes(sum, charge), NO_MONEY),
    neverSettles: succeeded.length === 0 && accepted.some(({ plan }) => plan.settleAfter === "never"),
    isTold:
      requests.length > 0 && requests.every((event) => !left.has(event.requestId) && isRequestTold(event, callbacks)),
    callbacks,
    waitsForever: events
      .filter(isRequestEvent)
      .some((event) => waiting.has(event.requestId) && (requests.includes(event) || isDetailsRequest(event))),
  };
}

function idsOf(events: readonly AccountEvent[], kind: "client-left" | "client-waits"): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.kind === kind ? [event.requestId] : [])));
}

/**
 * Returns whether the application was told what became of a request: by a complete refusal of the gateway itself, or by an intact callback
 * for a request_id that a complete acknowledgment had named. A proxy's answer, silence or a broken connection tell nothing.
 */
function isRequestTold(event: RequestEvent, callbacks: readonly Attempted[]): boolean {
  const breakage = event.rules?.breakage;
  if (breakage !== undefined && breakage !== "drip") return false;
  if (event.kind === "refused") return event.answer === undefined && isOfGateway(event.code);
  if (!isOwn(event.rules)) return false;
  const own = callbacks.filter(({ requestId }) => requestId === event.requestId);
  return own.some(isIntact) && !own.some(({ scripted }) => scripted?.contradict === true);
}

/** Returns whether the acknowledgment was the gateway's own, as far as a client can see. */
function isOwn({ ack }: Partial<AppliedRules> = {}): boolean {
  return ack === undefined || (ack.body === undefined && (ack.status ?? 200) < 300);
}

/** Returns whether the callback was intact. A wrong content type alone does no harm, because the body is complete. */
function isIntact({ scripted = {} }: Attempted): boolean {
  const { wrong_content_type: _type, ...rest } = scripted;
  return spoiltBy(rest) === undefined;
}

function isReceived({ outcome: { kind } }: Attempted): boolean {
  return kind === "answered" || kind === "redirect" || kind === "timed_out" || kind === "reset";
}
