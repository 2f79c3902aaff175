import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest } from "../../gateway/account/event-guards.ts";
import type { Attempted, RequestEvent } from "../../gateway/account/events.ts";
import { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { isReceived } from "../../gateway/account/readings/callback.ts";
import { describeFalseResult, describeMisleadingAnswer } from "../../gateway/account/readings/describe-order.ts";
import { type Milestone, readMilestones } from "../../gateway/account/readings/milestones.ts";
import { readRequest, type RequestReading } from "../../gateway/account/readings/request.ts";
import { requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import { readSale, type SaleReading, type Wanted, WANTED_ONCE } from "../../gateway/account/readings/sale.ts";
import { cents } from "../../gateway/domain/kes.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";

/** What the gateway did for one order, and what the application could know about it: its sale, and the exchanges that prove it. */
export interface OrderTruth extends SaleReading {
  /** Whether more was sold than it delivers if it is placed once. */
  readonly isSoldAgain: boolean;
  /** The gateway requests for it, in order, and what each of them reads as. */
  readonly requests: readonly RequestEvent[];
  readonly readings: readonly RequestReading[];
  /** What happened until its outcome was told. */
  readonly milestones: readonly Milestone[];
  /** The callbacks about it that reached the application. */
  readonly callbacks: readonly Attempted[];
  /**
   * Whether its client waited for a response longer than any client should. Also set if a request for account details did, because those
   * name no order.
   */
  readonly waitsForever: boolean;
}

/** Reads what happened to an order by its gateway requests. It was placed `asked` times. */
export function readOrderTruth(
  events: readonly AccountEvent[],
  requests: readonly RequestEvent[] = [],
  wanted = WANTED_ONCE,
  asked = 1,
): OrderTruth {
  const ids = new Set(requests.map(({ requestId }) => requestId));
  const aftermaths = new Aftermaths();
  const own = events.filter((event) => "requestId" in event && ids.has(event.requestId));
  for (const event of own) aftermaths.take(event);
  const readings = requests.map((event) => readRequest(event, aftermaths.of(event.requestId)));
  const waiting = new Set(events.flatMap((event) => (event.kind === "client-waits" ? [event.requestId] : [])));
  return {
    ...readSale(readings, times(wanted, asked)),
    isSoldAgain: readSale(readings, wanted).isSoldTwice,
    requests,
    readings,
    milestones: readMilestones(requests, (requestId) => aftermaths.of(requestId)),
    callbacks: own.flatMap((event) => (event.kind === "attempted" && isReceived(event) ? [event] : [])),
    waitsForever: requestsOfBackend(events).some(
      (event) => waiting.has(event.requestId) && (ids.has(event.requestId) || isDetailsRequest(event)),
    ),
  };
}

function times({ requests, airtime, texts }: Wanted, asked: number): Wanted {
  const all = texts && Array.from({ length: asked }, () => texts).flat();
  return { requests: requests * asked, airtime: airtime && cents(airtime * asked), texts: all };
}

/** Says what the gateway told the application of a request that is not so. Whatever the application does then is right. */
export function describeFalseStatement({ readings }: OrderTruth): string | undefined {
  return readings
    .map((one) => describeMisleadingAnswer(one) ?? describeFalseResult(one))
    .find((words) => words !== undefined);
}

/** A job that tries one order again more often does not give up in time. */
const MAX_RETRIES = 10;

/** No job that gives up tries one order so often within a minute, so that nothing is gained by watching on. */
export const ENOUGH_TRIES = 1_000;

/**
 * Returns whether an application that was watched for so long is still trying an order again that the gateway refuses for a reason that no
 * retry removes: it has not been quiet for much longer than between its tries.
 */
export function isTriedForever({ requests, readings }: OrderTruth, now: Instant, watched: Millis): boolean {
  const last = readings.at(-1)?.answer;
  const tries = requests.map(sentAt);
  const [first = now] = tries;
  if (last?.says !== "refused" || !HOPELESS.has(last.code) || tries.length <= 1 + MAX_RETRIES) return false;
  const isWatched = now - first >= watched || tries.length >= ENOUGH_TRIES;
  return isWatched && now - Math.max(...tries) <= PAUSES * Math.max(...pausesBetween(tries));
}

function pausesBetween(times: readonly Instant[]): Millis[] {
  return times.map((at, index) => at - (times[index - 1] ?? at));
}

/** Wrong credentials, and a wallet that is empty. */
const HOPELESS: ReadonlySet<number> = new Set([401, 402]);

/** An application that has been quiet for so many times its longest pause has stopped. */
const PAUSES = 3;

/** Longer than most jobs wait before they try a refused order again. */
const QUIET_MILLIS: Millis = 10 * SECOND;

/**
 * Returns whether an application may still be about to try an order again: it has not been quiet for three times its longest pause, or for
 * as long as it was asked to wait.
 */
export function mayRetry(requests: readonly RequestEvent[], events: readonly AccountEvent[], now: Instant): boolean {
  const asked = [...requests, ...requestsOfBackend(events).filter(isDetailsRequest)].map(sentAt);
  const times = asked.toSorted((one, other) => one - other);
  const waits = requests.map((event) => (event.kind === "refused" ? (event.retryAt ?? event.at) - event.at : 0));
  return now - Math.max(...times) < Math.max(QUIET_MILLIS, ...waits, PAUSES * Math.max(...pausesBetween(times)));
}
