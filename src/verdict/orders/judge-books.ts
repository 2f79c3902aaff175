import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { showKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import type { BookedCharge } from "../application/placed-order.ts";
import type { Verdict } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { problem } from "./order-verdict.ts";
import { isBookedInSum, isOfSeveral } from "./several-requests.ts";

/** Checks that each charge was booked once, to the cent. */
export function judgeBooks(order: OrderEvidence, events: readonly AccountEvent[]): Verdict[] {
  const { books, truth, claimed } = order;
  if ("missing" in books) return [];
  // What a request cost that was answered as if it had been refused is not known to anybody who could book it.
  const known = truth.requests.filter((_, at) => truth.readings[at]?.isMisled !== true);
  const ids = new Set(known.map(({ requestId }) => requestId));
  const told = truth.requests.filter((_, at) => truth.readings[at]?.isNotified);
  // Books may have a charge that came back, its return, or neither.
  for (const event of events) if (event.kind === "reversed") ids.delete(event.requestId);
  const charged = events.flatMap((event) => (event.kind === "settled" && ids.has(event.requestId) ? [event] : []));
  if (isBookedInSum(order, books.value, charged)) return [];
  const problems = charged.flatMap(({ requestId, charge, outcome }) => {
    const isCharged = outcome === "succeeded";
    const entries = books.value.filter((entry) => entry.requestId === requestId);
    // An order may be paid without knowing of each of its requests, such as a bonus.
    const isKnown = !isOfSeveral(order) || told.some((request) => request.requestId === requestId);
    return (
      describeEntries(entries, isCharged ? charge : NO_MONEY, isCharged && isKnown && claimed.claim === "paid") ?? []
    );
  });
  return problems.map((seen) => problem(order, "wrong-books", seen));
}

function describeEntries(entries: readonly BookedCharge[], charge: Kes, isWanted: boolean): string | undefined {
  const [first, second] = entries;
  if (first === undefined)
    return isWanted ? `the books have no charge for it; the gateway charged KES ${showKes(charge)}` : undefined;
  if (second !== undefined) return `the books have its charge ${entries.length} times`;
  if (first.amount === undefined || first.amount === charge) return undefined;
  return `the books say KES ${showKes(first.amount)}; the gateway charged KES ${showKes(charge)}`;
}
