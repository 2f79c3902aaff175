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
  /** Whether the answer has what the map says that a refusal has, whatever its status. */
  readonly isRefused?: boolean;
  /** Whether a restart ended the request before it was answered. */
  readonly isCut?: boolean;
}

/** Statuses of the client's class that decide nothing about an order (RFC 9110 §15.5.9 and §15.5.10, RFC 8470 §5.2, RFC 6585 §4). */
const UNDECIDED: readonly number[] = [408, 409, 425, 429];

/** Returns what the application's answer to an order says of it: an error of a server or of a proxy may come after the order was taken. */
export function placementOf({ reply, isRefused }: Pick<PlacedOrder, "reply" | "isRefused">): Placement {
  if (isRefused === true) return "refused";
  if (reply.kind === "silent" || reply.status >= 500 || UNDECIDED.includes(reply.status)) return "unknown";
  return reply.status >= 400 ? "refused" : "taken";
}

export type Placement = "taken" | "refused" | "unknown";

/** An entry of the application's books. */
export interface BookedCharge {
  /** Undefined if it names none. */
  readonly requestId: string | undefined;
  /** Null if the application says that there is none yet; undefined if what it shows is no amount. */
  readonly amount: Kes | null | undefined;
  /** How the entry begins. */
  readonly written: string;
}
