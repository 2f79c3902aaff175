import { addKes, cents, formatKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import type { Claim } from "./oracle.ts";

/**
 * Returns the possible totals that several orders took from one balance, in ascending order: paid ones their price, failed ones nothing,
 * open ones either.
 */
export function possibleDebits(orders: readonly { readonly price: Kes; readonly claim: Claim }[]): readonly Kes[] {
  const sums = orders.reduce<ReadonlySet<Kes>>(
    (before, { price, claim }) => {
      if (claim === "failed") return before;
      const paid = [...before].map((sum) => addKes(sum, price));
      return new Set(claim === "paid" ? paid : [...before, ...paid]);
    },
    new Set([NO_MONEY]),
  );
  return [...sums].toSorted((one, other) => one - other);
}

/** "debited KES 105.00", or "credited" if the customer has more than before. */
export function describeDebit(debit: Kes): string {
  return debit < 0 ? `credited KES ${formatKes(cents(-debit))}` : `debited KES ${formatKes(debit)}`;
}
