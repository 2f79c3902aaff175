import type { RequestRefused } from "../account/events.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../domain/time.ts";
import type { Exchange } from "./finding.ts";
import { requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";

/** Requests refused for the same reason, with nothing between them that could have repaired it. */
export interface RefusalRun {
  readonly requests: number;
  readonly lasted: Millis;
  /** The first refusal and the last. */
  readonly exchanges: readonly Exchange[];
}

/** Requests already under way when the first refusal came could not know about it. */
const UNDER_WAY: Millis = SECOND;

/** More requests than a person would try by hand. */
const CONTINUED = 3;

/** After a pause this long a request is a new attempt. */
const PAUSE: Millis = 10 * MINUTE;

/** Counts refusals until something repairs their cause. */
export class RefusalRuns {
  #first: { readonly requestId: string; readonly at: Instant } | undefined;
  #last: Instant = 0;
  #requests = 0;
  #continued = 0;

  /** The run that this refusal belongs to, once there are enough of them. */
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

  /** Whether this refusal comes after a long pause and starts a new run. */
  isOver(refused: RequestRefused): boolean {
    return sentAt(refused) - this.#last > PAUSE;
  }

  /** The cause may be gone: the next refusal starts a new run. */
  end(): void {
    this.#first = undefined;
  }

  #begin({ requestId }: RequestRefused, at: Instant): void {
    this.#first = { requestId, at };
    this.#requests = 0;
    this.#continued = 0;
  }
}
