import type { Verdict } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { problem } from "./order-verdict.ts";

/** Judges orders that must have been sent: one that the application took, keeps open, and never sent is a defect. */
export function mustSend({ orders }: { readonly orders: readonly OrderEvidence[] }): (Verdict | undefined)[] {
  return orders.map((order) => (isUnsent(order) ? problem(order, "taken-not-sent") : undefined));
}

function isUnsent({ placed, truth, claimed }: OrderEvidence): boolean {
  const isTaken = placed.reply.kind === "answered" && placed.reply.status < 400;
  return isTaken && truth.asked === 0 && claimed.claim === "open";
}
