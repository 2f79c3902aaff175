import type { Attempted } from "../../gateway/account/events.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { describeReaction } from "./describe.ts";

/** Reports a callback that was not answered in time. */
export const callbackAnsweredLate: Detector = {
  id: "callback-answered-late",
  severity: "defect",
  title: "A callback was not answered within the limit",
  why: "The gateway accepts an answer only within 3 seconds (gateway document, sections 6 and 8). A receiver that works before it answers loses results when it is slow, and does the work twice when a callback is sent again.",
  repair:
    "Store the callback and answer 200 at once. Credit, notify and call other services afterwards, from a queue (Laravel: dispatch a job; Django: Celery; Node: BullMQ). In PHP, check that a session lock does not make requests wait for one another.",
  assumes:
    "Only the receiver caused the delay: a breakpoint, a busy machine or a firewall that drops packets looks the same. An account with a shorter limit is held to its own.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

/** The time limit for an acknowledgment (gateway document, section 8). */
const LIMIT: Millis = 3 * SECOND;

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  if (condition !== "ordinary" || !isLate(callback)) return undefined;
  const limit = callback.outcome.kind === "timed_out" ? "" : `, past the limit of ${describeDuration(LIMIT)}`;
  const url = showUrl(callback.url);
  return {
    subject: url,
    seen: `${url} ${describeReaction(callback)}${limit}.`,
    exchanges: [callbackExchange(callback)],
  };
}

function isLate({ outcome: { kind }, millis }: Attempted): boolean {
  return kind === "timed_out" || (kind === "answered" && millis > LIMIT);
}
