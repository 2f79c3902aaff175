import { subtractKes } from "../../gateway/domain/kes.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import { formatShort } from "../time-spent.ts";
import type { Verdict } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeDebit } from "./order-verdict.ts";

/** An order as it was seen, and what was told of it then. */
export interface JudgedOrder {
  readonly order: OrderEvidence;
  readonly verdicts: readonly Verdict[];
}

/** Returns what is told of an order at its last look. What became wrong since its first verdict says what has changed. */
export function judgeLastLook(first: JudgedOrder, last: JudgedOrder, later: Millis): Verdict[] {
  const change = describeChange(first.order, last.order, later);
  return last.verdicts.map((verdict) =>
    change === undefined || !isNew(verdict, first.verdicts)
      ? verdict
      : { ...verdict, seen: `${change}; ${verdict.seen}` },
  );
}

/** Returns whether a defect was not seen at the first look. */
export function isNew({ is, id }: Verdict, first: readonly Verdict[]): boolean {
  const isKnown = first.some(
    (one) => one.is === "defect" && (one.id === id || one.follows.some((also) => also.id === id)),
  );
  return is === "defect" && !isKnown;
}

/** "shown paid at first; 2.1s later failed, and credited KES 50.00". Undefined if the application shows what it did. */
function describeChange(first: OrderEvidence, last: OrderEvidence, later: Millis): string | undefined {
  const [before, now] = [first.claimed.said, last.claimed.said];
  const money =
    "value" in first.debited && "value" in last.debited ? subtractKes(last.debited.value, first.debited.value) : 0;
  if (before === now && money === 0) return undefined;
  const moved = money === 0 ? "" : ` and ${describeDebit(money)}`;
  return `shown ${before} at first; ${formatShort(later)} later ${before === now ? "still so" : now}${moved}`;
}
