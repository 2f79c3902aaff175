import type { Kes } from "../../gateway/domain/kes.ts";
import type { Claimed } from "../application/claims.ts";
import type { BookedCharge, PlacedOrder } from "../application/placed-order.ts";
import type { AskedValue } from "../application/ask.ts";
import type { PricedOrder } from "../application/price.ts";
import type { Finding } from "../checks/finding.ts";
import type { Difference, Part } from "./delivery.ts";
import type { OrderTruth } from "./order-truth.ts";

/** The entries that are in the books since the first order of the trial, or why that cannot be told: `isUnread` if they were asked for. */
export type BooksOfOrder =
  | {
      readonly value: readonly BookedCharge[];
      /** Whether entries of before are not shown any more, so that others may only look new. */
      readonly hasLost?: boolean;
      /** How long the list is, if it may be a page that ends before the last charge. */
      readonly endsAt?: number;
      /** Whether it is as long as when it lacked a charge, so that nothing new can be seen in it. */
      readonly isFull?: boolean;
      /** Whether the entries can be of no other order. */
      readonly isOfOne?: boolean;
    }
  | { readonly missing: string; readonly isUnread?: true };

/** Everything known about one order at the end of a trial. */
export interface OrderEvidence extends Pick<PricedOrder, "unrounded"> {
  readonly placed: PlacedOrder;
  readonly asked: number;
  /** Whether the application was given one reference each time, by which it can tell that it is one order. */
  readonly isOneReference?: boolean;
  readonly truth: OrderTruth;
  readonly claimed: Claimed;
  /** Whether what the application shows of it proves that it was told. */
  readonly isProvenTold?: boolean;
  /** Whether the app map says of its word that a person must look at it. */
  readonly isForReview?: boolean;
  /** What the gateway delivered differently from what was ordered. */
  readonly difference?: Difference;
  /** What arrived of it, if that is a part. */
  readonly part?: Part;
  /** How many requests it takes for each number: as many as a plain order, or as a text has parts. */
  readonly requests?: number;
  /** What the map must say before it can be judged, with both sides. */
  readonly unsaid?: string;
  /** What the customer paid for it, if the map can tell that for each order. */
  readonly debited: AskedValue<Kes>;
  /** The most that may be taken for it while it is open; undefined if nothing tells what it costs. */
  readonly mostHeld?: Kes;
  /**
   * Whether a plain order is paid before the gateway answers, so that an open one without a debit was given back. Undefined if that was not
   * seen.
   */
  readonly isPaidFirst?: boolean | undefined;
  /** Whether the application may still be about to send it again. */
  readonly mayRetry?: boolean;
  /** Whether it was still sending it again at the end, although no retry helps. */
  readonly isTriedForever?: boolean;
  /** Whether the application had acknowledged the callback with its outcome when it was restarted. */
  readonly wasToldBeforeRestart?: boolean;
  readonly price: Kes | undefined;
  readonly books: BooksOfOrder;
  readonly findings: readonly Finding[];
}
