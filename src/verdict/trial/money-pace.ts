import type { Instant, Millis } from "../../gateway/domain/time.ts";

/** What is known of the money of a trial's orders at its end. */
export type MoneySeen = "right" | "wrong" | "unknown";

/** Wall times that a trial allows. */
interface Allowed {
  /** What the application has needed so far. */
  readonly usual: Millis;
  /** What it may need at most. */
  readonly full: Millis;
}

/** How long the money of orders takes to follow them, as far as trials have shown. */
export class MoneyPace {
  /** The longest time from the last event of a trial until its money was right, if it was not at once. */
  #slowest: Millis = 0;
  /** Whether money was wrong for its full time once. What is wrong is then seldom only late. */
  #hasStayedWrong = false;
  #last: { readonly seen: MoneySeen; readonly since: Instant } = { seen: "right", since: 0 };

  /** Returns how long money that is wrong is asked for again. */
  patience({ usual, full }: Allowed): Millis {
    return Math.max(this.#hasStayedWrong ? usual : full, 2 * this.#slowest);
  }

  /** Notes that money was wrong, and became right so long after the last event. */
  noteLate(after: Millis): void {
    this.#slowest = Math.max(this.#slowest, after);
  }

  /** Notes what was seen at the end of a trial whose last event was then. */
  noteEnd(seen: MoneySeen, since: Instant): void {
    this.#hasStayedWrong ||= seen === "wrong";
    this.#last = { seen, since };
  }

  /**
   * Returns how long to wait before the next trial: money that follows an earlier order would look like that of the next. A reset takes back
   * the money of an application whose money was never seen to be late.
   */
  rest(now: Instant, { usual, full, isReset }: Allowed & { readonly isReset: boolean }): Millis {
    const { seen, since } = this.#last;
    if (seen === "right" || (isReset && this.#slowest === 0)) return 0;
    const needed = seen === "wrong" && !isReset ? full : usual + this.#slowest;
    return Math.max(0, since + needed - now);
  }
}
