/** What the application says about one order. */
export type Claim = "paid" | "failed" | "open" | "no answer" | "not asked";

/** What the gateway did for one order, what the application could know about it, and what it claims. */
export interface OrderFacts {
  /** How often the application was asked to place the order. */
  readonly asked: number;
  /** How often the gateway delivered it. */
  readonly delivered: number;
  /** Whether the gateway accepted it but its result will never arrive. */
  readonly neverSettles: boolean;
  /** Whether a complete refusal, or an intact callback after a complete acknowledgment, told the application the outcome. */
  readonly couldKnow: boolean;
  readonly claim: Claim;
}

export const ORDER_VERDICTS = [
  "sold twice",
  "delivered, but shown failed",
  "shown paid, never delivered",
  "shown paid before anyone could know",
  "stuck although it was told",
  "waits forever",
  "needs a person",
  "not assessed",
  "right",
] as const;

export type OrderVerdict = (typeof ORDER_VERDICTS)[number];

/** Compares what the gateway did for one order with what the application claims. */
export function judgeOrder({ asked, delivered, neverSettles, couldKnow, claim }: OrderFacts): OrderVerdict {
  if (delivered > Math.max(asked, 1)) return "sold twice";
  switch (claim) {
    case "not asked":
      return "not assessed";
    case "no answer":
      return "waits forever";
    case "open":
      return couldKnow ? "stuck although it was told" : "needs a person";
    case "failed":
      return delivered === 0 ? "right" : "delivered, but shown failed";
    case "paid":
      if (delivered > 0) return "right";
      return neverSettles ? "shown paid before anyone could know" : "shown paid, never delivered";
  }
}

/** Returns whether a verdict is a defect of the application. An order that needs a person is held open, which is right. */
export function isDefect(verdict: OrderVerdict): boolean {
  return !(["right", "needs a person", "not assessed"] as const).some((fine) => fine === verdict);
}
