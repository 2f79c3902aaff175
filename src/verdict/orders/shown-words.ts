import type { Claimed } from "../application/claims.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import type { OrderTruth } from "./order-truth.ts";

type ShownOrder = Pick<OrderEvidence, "claimed" | "truth">;

/**
 * The words that an application shows of open orders of which it was told nothing. Such a word proves nothing of another order, while any other
 * word proves that the application was told of it. Whatever language they are in, only when they are shown counts.
 */
export class ShownWords {
  readonly #review: readonly string[];
  readonly #untold = new Set<string>();
  /** Those of orders whose acknowledgment the application could read. */
  readonly #acknowledged = new Set<string>();

  /** `review` are the words of the app map for what a person must look at, which the application shows only of what it knows. */
  constructor(review: readonly string[] = []) {
    this.#review = review;
  }

  /** Notes what is shown of an order, if it is open, and nothing was told of it by then. */
  note({ truth, claimed }: ShownOrder): void {
    if (claimed.claim !== "open" || isTold(truth)) return;
    this.#untold.add(claimed.said);
    if (isAcknowledged(truth)) this.#acknowledged.add(claimed.said);
  }

  /**
   * Returns whether the word of an order proves that the application was told of it. After an acknowledgment, it may show after a failure what
   * it shows after silence: it would show neither if nothing had come.
   */
  proveTold({ truth, claimed }: ShownOrder): boolean {
    const untold = isAcknowledged(truth) ? this.#acknowledged : this.#untold;
    return this.isForReview(claimed) || !untold.has(claimed.said);
  }

  isForReview({ said }: Pick<Claimed, "said">): boolean {
    return this.#review.includes(said);
  }
}

/** Returns whether anything of an order's outcome reached the application: also what it cannot read, or what contradicts itself. */
function isTold({ callbacks, readings }: OrderTruth): boolean {
  return callbacks.length > 0 || readings.some(({ answer }) => answer.says === "refused");
}

function isAcknowledged({ readings }: OrderTruth): boolean {
  return readings.some(({ answer }) => answer.says === "accepted");
}
