import type { RequestRefused } from "../../gateway/account/events.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Exchange } from "./finding.ts";
import { requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";

/** Requests refused for the same reason, with nothing in between that could have removed the cause. */
export interface RefusalRun {
  readonly requests: number;
  readonly lasted: Millis;
  /** The first and the last refusal. */
  readonly exchanges: readonly Exchange[];
}

/** Requests already in flight when the first refusal arrived could not know about it. */
const UNDER_WAY: Millis = SECOND;

/** More requests than a person would try manually. */
const CONTINUED = 3;

/** A request after a pause this long is a new attempt. */
const PAUSE: Millis = 10 * MINUTE;

/** Counts refusals until their cause may be gone. */
export class RefusalRuns {
  #first: { readonly requestId: string; readonly at: Instant } | undefined;
  #last: Instant = 0;
  #requests = 0;
  #continued = 0;

  /** Adds a refusal. Returns the run that it belongs to, once that is long enough. */
  add(refused: RequestRefused): RefusalRun | undefined {
    const at = sentAt(refused);
    if (this.#first === undefined || this.isOver(refused)) this.#begin(refused, at);
    const first = this.#first ?? refused;
    this.#last = at;
    this.#requests += 1;
    if (at - first.at > UNDER_WAY) this.#continued += 1;
    if (this.#continued < CONTINUED) return undefined;
    return {
      requests: this.#requests,
      lasted: at - first.at,
      exchanges: requestExchanges([first.requestId, refused.requestId]),
    };
  }

  /** Returns whether this refusal comes after a long pause and starts a new run. */
  isOver(refused: RequestRefused): boolean {
    return sentAt(refused) - this.#last > PAUSE;
  }

  /** Ends the run because the cause may be gone. The next refusal starts a new one. */
  end(): void {
    this.#first = undefined;
  }

  #begin({ requestId }: RequestRefused, at: Instant): void {
    this.#first = { requestId, at };
    this.#requests = 0;
    this.#continued = 0;
  }
}
