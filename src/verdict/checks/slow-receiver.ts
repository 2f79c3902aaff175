import type { Attempted } from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { CALLBACK_EVENTS, callbackExchange, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation, Watch } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { RecentMap } from "./recent-map.ts";

/** Reports a receiver that acknowledges in time, but is often slow. */
export const slowReceiver: Detector = {
  id: "slow-receiver",
  severity: "hint",
  title: "The receiver is slow to acknowledge",
  why: "The gateway waits 3 seconds for an answer. A receiver that takes more than one second here, with no network in between, has little time left for a busy day and a long distance.",
  repair:
    "Answer 200 as soon as the callback is stored, and do the rest from a queue. Look for calls to other services, e-mails and table scans on the way (add an index on request_id).",
  assumes: "The machine was not busy with something else. Only acknowledgments count, in blocks of 20 of one URL.",
  kinds: CALLBACK_EVENTS,
  watch: watchPace,
};

/** The number of answers judged together. The 95th percentile of fewer would mean nothing. */
const BLOCK = 20;
/** The 19th of 20 sorted answers is their 95th percentile. */
const BEYOND_P95 = 1;
const SLOW: Millis = SECOND;

function watchPace(): Watch {
  const blocks = new RecentMap<string, Attempted[]>(100);
  return watchCallbacks((callback, condition) => {
    if (condition !== "ordinary" || !isAcknowledged(callback.outcome)) return undefined;
    const block = blocks.get(callback.url) ?? [];
    block.push(callback);
    if (block.length === 1) blocks.set(callback.url, block);
    if (block.length < BLOCK) return undefined;
    blocks.delete(callback.url);
    return judge(block);
  });
}

function judge(block: readonly Attempted[]): Observation | undefined {
  const slow = block.filter(({ millis }) => millis > SLOW);
  const [p95] = slow
    .map(({ millis }) => millis)
    .toSorted((one, other) => one - other)
    .slice(-1 - BEYOND_P95);
  const [first] = block;
  if (slow.length <= BEYOND_P95 || p95 === undefined || first === undefined) return undefined;
  const url = showUrl(first.url);
  return {
    subject: url,
    seen: `${url} took longer than ${describeDuration(SLOW)} for ${slow.length} of ${BLOCK} callbacks in a row; the 95th percentile is ${describeDuration(p95)}.`,
    exchanges: slow.map(callbackExchange),
  };
}
