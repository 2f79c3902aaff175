import type { Accepted, AccountEvent, Attempted } from "../account/events.ts";
import { isAcknowledged } from "../domain/callback-outcome.ts";
import type { Sighting, Watch } from "./detector.ts";
import type { Exchange } from "./finding.ts";
import { hasFailed } from "./reaction.ts";
import { RecentMap } from "./recent-map.ts";

/** What may be asked of the receiver of one callback. */
export type Circumstance =
  /** All that the document's section 6 asks. */
  | "ordinary"
  /** It came before the acknowledgment, and failed as something may whose request_id nobody knows yet. */
  | "early"
  | "unknown-id"
  /** Its body is not JSON, or does not say that it is. */
  | "malformed"
  /** Nothing: a scenario spoilt the way, or this URL fails on ordinary callbacks too. */
  | "inconclusive";

/** What one attempt shows, if anything. */
export type Judge = (callback: Attempted, circumstance: Circumstance) => Sighting | undefined;

/** The events that `watchCallbacks` looks at. */
export const CALLBACK_EVENTS = ["accepted", "attempted"] as const satisfies readonly AccountEvent["kind"][];

/** Judges each attempt that says something about its receiver; repeats by the retry policy are one delivery, seen once. */
export function watchCallbacks(judge: Judge): Watch {
  const circumstances = new Circumstances();
  const seen = new RecentMap<string, true>();
  return (event) => {
    if (event.kind === "accepted") circumstances.expect(event);
    if (event.kind !== "attempted" || !reachedOut(event)) return NOTHING;
    const sighting = judge(event, circumstances.of(event));
    if (sighting === undefined) return NOTHING;
    const delivery = `${event.requestId}/${event.delivery}`;
    if (seen.has(delivery)) return NOTHING;
    seen.set(delivery, true);
    return [sighting];
  };
}

export function callbackExchange({ requestId, attempt }: Attempted): Exchange {
  return { kind: "callback", requestId, attempt };
}

const NOTHING: readonly Sighting[] = [];

/** Whether the sandbox did its part: what it forbade, gave up or broke off itself accuses nobody. */
function reachedOut({ outcome: { kind } }: Attempted): boolean {
  return kind !== "blocked" && kind !== "abandoned" && kind !== "broken_off";
}

/** Tells the callbacks of one account apart. */
class Circumstances {
  readonly #early = new RecentMap<string, true>();
  /** URLs that did not acknowledge their latest ordinary callback. */
  readonly #failing = new RecentMap<string, true>(1_000);

  expect({ requestId, plan }: Accepted): void {
    if (plan.callback?.beforeAck === true) this.#early.set(requestId, true);
  }

  of(callback: Attempted): Circumstance {
    const { manner, malformed, wrongContentType, unknownId } = callback.scripted ?? {};
    if (manner !== undefined) return "inconclusive";
    if (malformed === true || wrongContentType === true) return this.#unlessFailing(callback, "malformed");
    if (unknownId === true) return this.#unlessFailing(callback, "unknown-id");
    if (this.#isEarly(callback)) return this.#unlessFailing(callback, "early");
    this.#remember(callback);
    return "ordinary";
  }

  #unlessFailing({ url }: Attempted, circumstance: Circumstance): Circumstance {
    return !this.#failing.isEmpty && this.#failing.has(url) ? "inconclusive" : circumstance;
  }

  /** The acknowledgment waits for the first attempt only. */
  #isEarly({ requestId, attempt, outcome }: Attempted): boolean {
    if (this.#early.isEmpty || attempt > 1 || !this.#early.has(requestId)) return false;
    return hasFailed(outcome) || (outcome.kind === "answered" && UNKNOWN_YET.has(outcome.status));
  }

  /** A repeat or a contradiction may be answered otherwise for its own sake. */
  #remember({ url, outcome, delivery, scripted }: Attempted): void {
    if (delivery > 1 || scripted?.contradict === true) return;
    if (!isAcknowledged(outcome)) this.#failing.set(url, true);
    else if (!this.#failing.isEmpty) this.#failing.delete(url);
  }
}

/** How frameworks say that a record is not there, or not yet: not found, conflict, failed validation, too early. */
const UNKNOWN_YET: ReadonlySet<number> = new Set([404, 409, 422, 425]);
