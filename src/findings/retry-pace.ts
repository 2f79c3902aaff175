import { type Millis, SECOND } from "../domain/time.ts";
import type { Retry } from "./failures.ts";
import { timeInWords } from "./in-words.ts";
import { RecentMap } from "./recent-map.ts";

/** The last waits between the tries of one request. */
interface Pace {
  readonly waits: readonly Millis[];
  readonly requestIds: readonly string[];
  /** How often in a row Retry-After was not waited for. */
  readonly ignored: number;
}

/** What is wrong with the pace of a request's retries, and the requests that show it. */
export interface PoorPace {
  readonly because: string;
  readonly requestIds: readonly string[];
}

/** One quick retry is sensible, and two may be chance. */
const JUDGED = 3;

/** Three retries in less: full jitter on a base of 100 ms comes to it once in fifty times, larger ones hardly ever. */
const AT_ONCE: Millis = 100;

/** Even waits do no harm when they are long. */
const HARMLESS: Millis = 10 * SECOND;

/** Waits that differ by less do not grow; doubling ones differ by four within three. */
const EVEN = 1.25;

/** Follows the retries of each request and says when they do not back off. */
export class RetryPace {
  readonly #paces = new RecentMap<number, Pace>();

  see(retry: Retry): PoorPace | undefined {
    const { event, failure } = retry;
    const before = retry.nth === 1 ? undefined : this.#paces.get(event.content);
    const { waits, requestIds, ignored } = before ?? { waits: [], requestIds: [failure.requestId], ignored: 0 };
    const pace: Pace = {
      waits: [...waits, retry.wait].slice(-JUDGED),
      requestIds: [...requestIds, event.requestId].slice(-JUDGED - 1),
      ignored: ignoresRetryAfter(retry) ? ignored + 1 : 0,
    };
    this.#paces.set(event.content, pace);
    const because = whatIsPoor(pace, retry);
    return because === undefined ? undefined : { because, requestIds: pace.requestIds };
  }
}

/** Either clock will do: a client cannot be asked to know the account's, nor to outwait one that goes faster. */
function ignoresRetryAfter({ event, failure: { asked }, wait }: Retry): boolean {
  return asked !== undefined && event.at < asked.until && wait < asked.wait;
}

function whatIsPoor({ waits, ignored }: Pace, { failure, wait, nth }: Retry): string | undefined {
  if (ignored >= 2)
    return `came ${timeInWords(wait)} ${failure.cause} whose Retry-After asked for ${headerSeconds(failure.asked?.wait ?? 0)} s, and ${ignored} in a row did so`;
  if (waits.length < JUDGED) return undefined;
  const together = waits.reduce((sum, each) => sum + each, 0);
  if (together < AT_ONCE)
    return `came ${timeInWords(wait)} ${failure.cause}, as retry ${nth}; the last three waited ${timeInWords(together)} together`;
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  if (most > least * EVEN || most >= HARMLESS) return undefined;
  return `came ${timeInWords(wait)} ${failure.cause}, as retry ${nth}; the last three waited evenly, ${timeInWords(least)} to ${timeInWords(most)}`;
}

/** As the header had it: whole seconds, at least one. */
function headerSeconds(wait: Millis): number {
  return Math.max(1, Math.ceil(wait / SECOND));
}
