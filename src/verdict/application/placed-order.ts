import type { HttpReply } from "../../control/client/http-exchange.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant } from "../../gateway/domain/time.ts";

export interface ApplicationOrder {
  readonly operation: Operation;
  /** 254 and nine digits; unique among orders. */
  readonly phoneNumber: string;
  /** The further numbers that an SMS is for; unique among orders, too. */
  readonly recipients?: readonly string[];
  /** The number as the customer types it. Replaces all three forms in the map. */
  readonly typedNumber?: string;
  /** Whole shillings. */
  readonly amount: number;
  readonly message: string;
  /** Unique among orders. */
  readonly reference: string;
}

export interface PlacedOrder extends ApplicationOrder {
  readonly reply: HttpReply;
  /** Wall time. Without it, the application has not answered. */
  readonly answeredAt?: Instant;
  /** The application's own id, if the map says where it is and the answer contains it. */
  readonly id?: unknown;
  /** Whether a restart ended the request before it was answered. */
  readonly isCut?: boolean;
}

/** An entry of the application's books. */
export interface BookedCharge {
  /** Undefined if it names none. */
  readonly requestId: string | undefined;
  /** Null if the application says that there is none yet; undefined if what it shows is no amount. */
  readonly amount: Kes | null | undefined;
  /** How the entry begins. */
  readonly written: string;
}
