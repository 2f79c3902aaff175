import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { Retry } from "./failures.ts";

/** Retries of different requests that came together, each after the same wait. */
export interface InStep {
  readonly retries: number;
  readonly within: Millis;
  readonly least: Millis;
  readonly most: Millis;
  readonly requestIds: readonly string[];
}

/** So many are a herd. */
const HERD = 20;

/** A herd arrives within this time. */
const TOGETHER: Millis = 5 * SECOND;

/** Shorter waits differ by less than any jitter is worth. */
const WORTH_JITTER: Millis = SECOND / 2;

/** Jitter of a tenth is the least that libraries add; timers and the network alone make less. */
const SAME = 1.05;

/** Follows the first retry of each request: those of a crowd ought to be spread. */
export class RetriesInStep {
  #last: readonly FirstRetry[] = [];

  /** The herd that is complete with this retry. */
  see({ event, wait, nth, failure }: Retry): InStep | undefined {
    if (nth !== 1 || wait < WORTH_JITTER) return undefined;
    this.#last = [...this.#last, { requestId: event.requestId, at: failure.at + wait, wait }].slice(-HERD);
    const herd = herdOf(this.#last);
    if (herd !== undefined) this.#last = [];
    return herd;
  }
}

interface FirstRetry {
  readonly requestId: string;
  readonly at: Instant;
  readonly wait: Millis;
}

function herdOf(retries: readonly FirstRetry[]): InStep | undefined {
  const [first] = retries;
  const last = retries.at(-1);
  if (first === undefined || last === undefined || retries.length < HERD) return undefined;
  const waits = retries.map(({ wait }) => wait);
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  const within = last.at - first.at;
  if (within > TOGETHER || most > least * SAME) return undefined;
  return { retries: retries.length, within, least, most, requestIds: retries.map(({ requestId }) => requestId) };
}
