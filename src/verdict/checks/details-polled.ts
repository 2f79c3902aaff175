import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { type Instant, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";

/** Reports a timer that reads the balance more than once a minute. */
export const detailsPolled: Detector = {
  id: "details-polled",
  severity: "hint",
  title: "account-details was polled faster than once a minute",
  why: "Each callback contains the balance after it (document 2.4), so a poll in between tells you nothing new and uses up the rate limit that orders need.",
  repair:
    "Store account_balance from the callbacks, and request account-details at most once a minute. Once an hour with a warning threshold is usually enough.",
  assumes:
    "A timer polls at least six times at even intervals of 0.1 s to a minute (within a tenth), or polls for ten minutes without a pause of a minute. A person, or a test that asks now and then, does neither.",
  kinds: ["queried", "refused", "cut"],
  watch: () => {
    const polling = new Polling();
    return (event) => (isPoll(event) ? polling.see(event) : NOTHING);
  },
};

function isPoll(event: AccountEvent): event is RequestEvent {
  if (!isRequestEvent(event)) return false;
  if (event.kind === "refused") return event.operation === "account-details" && event.code !== 401;
  return event.kind !== "accepted" && !("order" in event);
}

/** Fewer requests do not prove a timer. */
const POLLS = 6;

/** Faster requests come from a loop that measures, not from a timer. */
const FASTEST: Millis = MINUTE / 600;

const SLOWEST: Millis = MINUTE;

/** The largest ratio between the intervals of one timer. */
const EVEN = 1.1;

const SUSTAINED: Millis = 10 * MINUTE;

interface Poll {
  readonly requestId: string;
  readonly at: Instant;
}

/** Tracks polls with no pause of a minute between them. */
class Polling {
  #first: Poll | undefined;
  #last: readonly Poll[] = [];
  #polls = 0;

  see(event: RequestEvent): readonly Observation[] {
    const poll = { requestId: event.requestId, at: sentAt(event) };
    const before = this.#last.at(-1);
    if (this.#first === undefined || before === undefined || poll.at - before.at >= SLOWEST || poll.at < before.at)
      this.#begin(poll);
    this.#last = [...this.#last, poll].slice(-POLLS);
    this.#polls += 1;
    const lasted = poll.at - (this.#first ?? poll).at;
    if (lasted < SUSTAINED && !areEven(this.#last)) return NOTHING;
    const seen = `${this.#polls} polls came within ${describeDuration(lasted)}, one every ${describeDuration(lasted / (this.#polls - 1))}.`;
    return [
      { subject: "account-details", seen, exchanges: requestExchanges(this.#last.map(({ requestId }) => requestId)) },
    ];
  }

  #begin(poll: Poll): void {
    this.#first = poll;
    this.#last = [];
    this.#polls = 0;
  }
}

function areEven(polls: readonly Poll[]): boolean {
  if (polls.length < POLLS) return false;
  const waits = polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? at));
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  return least >= FASTEST && most <= least * EVEN;
}
