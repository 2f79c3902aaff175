import type { RequestRefused } from "../account/events.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../domain/time.ts";
import type { Exchange } from "./finding.ts";
import { requestExchanges } from "./request-exchanges.ts";
import { sentAt } from "./sent-at.ts";

/** Requests that were refused for the same reason, with nothing between them that could have mended it. */
export interface RefusedRun {
  readonly requests: number;
  readonly lasted: Millis;
  /** The first refusal and the last. */
  readonly exchanges: readonly Exchange[];
}

/** What was under way when the first refusal came cannot have known of it. */
const UNDER_WAY: Millis = SECOND;

/** So many more are no trial by hand any longer. */
const KEPT_ON = 3;

/** After so long a pause a request is a new attempt. */
const PAUSE: Millis = 10 * MINUTE;

/** Counts refusals until something mends their cause. */
export class RefusedRuns {
  #first: { readonly requestId: string; readonly at: Instant } | undefined;
  #last: Instant = 0;
  #requests = 0;
  #keptOn = 0;

  /** The run that this refusal goes on with, once it is one. */
  add(refused: RequestRefused): RefusedRun | undefined {
    const at = sentAt(refused);
    if (this.#first === undefined || this.isOver(refused)) this.#begin(refused, at);
    const first = this.#first ?? refused;
    this.#last = at;
    this.#requests += 1;
    if (at - first.at > UNDER_WAY) this.#keptOn += 1;
    if (this.#keptOn < KEPT_ON) return undefined;
    return {
      requests: this.#requests,
      lasted: at - first.at,
      exchanges: requestExchanges([first.requestId, refused.requestId]),
    };
  }

  /** Whether this refusal comes after so long a pause that it begins a run of its own. */
  isOver(refused: RequestRefused): boolean {
    return sentAt(refused) - this.#last > PAUSE;
  }

  /** The cause may be gone: the next refusal is a first one. */
  end(): void {
    this.#first = undefined;
  }

  #begin({ requestId }: RequestRefused, at: Instant): void {
    this.#first = { requestId, at };
    this.#requests = 0;
    this.#keptOn = 0;
  }
}
