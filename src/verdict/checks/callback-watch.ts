import { transmissionFault, spoiltBy } from "../../gateway/scenario/effects/callback-flags.ts";
import type { Accepted, Attempted } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import type { Observation, Watch } from "./check.ts";
import type { Exchange } from "./finding.ts";
import { isReceiverFailure } from "./describe.ts";
import { RecentMap } from "./recent-map.ts";

/** What can be expected of the receiver of one callback. */
export type CallbackCondition =
  /** Everything that section 6 of the document requires. */
  | "ordinary"
  /** Sent before the acknowledgment, and failed in a way that an unknown request_id explains. */
  | "early"
  | "unknown-id"
  /** The body is not JSON, or not labelled as JSON. */
  | "malformed"
  /** Nothing: a scenario disturbed the delivery, or this URL also fails on ordinary callbacks. */
  | "inconclusive";

/** Returns what one attempt shows, if anything. */
export type Judge = (callback: Attempted, condition: CallbackCondition) => Observation | undefined;

/** The events that `watchCallbacks` needs. */
export const CALLBACK_EVENTS = ["accepted", "attempted"] as const satisfies readonly AccountEvent["kind"][];

/** Judges each attempt that says something about its receiver. The retries of one delivery are reported only once. */
export function watchCallbacks(judge: Judge): Watch {
  const classifier = new CallbackClassifier();
  const seen = new RecentMap<string, true>();
  return (event) => {
    if (event.kind === "accepted") classifier.expect(event);
    if (event.kind !== "attempted" || !countsForReceiver(event)) return NOTHING;
    const observation = judge(event, classifier.of(event));
    if (observation === undefined) return NOTHING;
    const delivery = `${event.requestId}/${event.delivery}`;
    if (seen.has(delivery)) return NOTHING;
    seen.set(delivery, true);
    return [observation];
  };
}

export function callbackExchange({ requestId, attempt }: Attempted): Exchange {
  return { kind: "callback", requestId, attempt };
}

const NOTHING: readonly Observation[] = [];

/** Returns whether the receiver is responsible for the outcome. Attempts that the sandbox blocked, abandoned or broke off do not count. */
function countsForReceiver({ outcome: { kind } }: Attempted): boolean {
  return kind !== "blocked" && kind !== "abandoned" && kind !== "broken_off";
}

/** Classifies the callbacks of one account. */
class CallbackClassifier {
  readonly #early = new RecentMap<string, true>();
  /** URLs that did not acknowledge their latest ordinary callback. */
  readonly #failing = new RecentMap<string, true>(1_000);

  expect({ requestId, plan }: Accepted): void {
    if (plan.callback?.before_ack === true) this.#early.set(requestId, true);
  }

  of(callback: Attempted): CallbackCondition {
    const { scripted = {} } = callback;
    if (transmissionFault(scripted) !== undefined) return "inconclusive";
    const spoilt = spoiltBy(scripted);
    if (spoilt === "content") return this.#unlessFailing(callback, "malformed");
    if (spoilt === "id") return this.#unlessFailing(callback, "unknown-id");
    if (this.#isEarly(callback)) return this.#unlessFailing(callback, "early");
    this.#remember(callback);
    return "ordinary";
  }

  #unlessFailing({ url }: Attempted, condition: CallbackCondition): CallbackCondition {
    return !this.#failing.isEmpty && this.#failing.has(url) ? "inconclusive" : condition;
  }

  /** Only the first attempt is sent before the acknowledgment. */
  #isEarly({ requestId, attempt, outcome }: Attempted): boolean {
    if (this.#early.isEmpty || attempt > 1 || !this.#early.has(requestId)) return false;
    return isReceiverFailure(outcome) || (outcome.kind === "answered" && NOT_FOUND_STATUSES.has(outcome.status));
  }

  /** A repeated or contradicting callback may get a different answer for a good reason. */
  #remember({ url, outcome, delivery, scripted }: Attempted): void {
    if (delivery > 1 || scripted?.contradict === true) return;
    if (!isAcknowledged(outcome)) this.#failing.set(url, true);
    else if (!this.#failing.isEmpty) this.#failing.delete(url);
  }
}

/** The statuses with which frameworks report a record that does not exist (yet): not found, conflict, failed validation, too early. */
const NOT_FOUND_STATUSES: ReadonlySet<number> = new Set([404, 409, 422, 425]);
