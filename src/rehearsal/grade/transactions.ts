import type { Transaction } from "../../account/transaction.ts";
import { compileComparison } from "../../scenario/matchers/comparison.ts";
import type { Verdict } from "../report.ts";
import type { TransactionsExpected } from "../rehearsal.ts";
import { EVICTED, type Evidence, exchangeOf, failed, passed, requestsLike, sayCount } from "./evidence.ts";

/** How many transactions are in which state. */
export function gradeTransactions({ match, counts }: TransactionsExpected, evidence: Evidence): Verdict {
  if (!evidence.isWhole) return EVICTED;
  const matched = requestsLike(evidence, match).flatMap(({ requestId }) => evidence.state.transactions.get(requestId) ?? []);
  const seen = counts.map(({ state, count }) => ({
    state,
    found: matched.filter((one) => isIn(one, state)),
    holds: compileComparison(count),
  }));
  const saw = `${seen.map(({ state, found }) => `${found.length} ${state}`).join(", ")} of ${sayCount(matched.length, "transaction")}`;
  const wrong = seen.filter(({ found, holds }) => !holds(found.length));
  if (wrong.length === 0) return passed(saw);
  return failed(
    saw,
    matched.map(({ accepted }) => exchangeOf(accepted)),
  );
}

function isIn({ progress }: Transaction, state: string): boolean {
  return progress.state === state;
}
