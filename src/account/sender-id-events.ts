import type { Carrier } from "../domain/carrier.ts";
import type { Kes } from "../domain/kes.ts";
import type { Instant } from "../domain/time.ts";

/** A custom sender ID was submitted to one carrier, and the fee paid. */
export interface SenderIdSubmitted {
  readonly kind: "sender-id-submitted";
  readonly at: Instant;
  readonly id: string;
  readonly senderId: string;
  readonly carrier: Carrier;
  readonly fee: Kes;
  readonly decidesAt: Instant;
}

export interface SenderIdDecided {
  readonly kind: "sender-id-decided";
  readonly at: Instant;
  readonly id: string;
  readonly verdict: "approved" | "rejected";
  readonly reason?: string;
}
