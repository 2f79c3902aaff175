import type { Verdict } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { problem } from "./order-verdict.ts";

/** Judges an order that must have been sent: one that the application took, keeps open, and never sent is a defect. */
export function judgeUnsent(order: OrderEvidence): Verdict | undefined {
  const { placed, truth, claimed } = order;
  const isTaken = placed.reply.kind === "answered" && placed.reply.status < 400;
  if (!isTaken || truth.asked > 0 || claimed.claim !== "open") return undefined;
  return problem(order, "taken-not-sent");
}
