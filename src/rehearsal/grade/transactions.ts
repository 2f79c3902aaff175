import type { Transaction } from "../../account/transaction.ts";
import { compileComparison } from "../../scenario/comparison.ts";
import type { Verdict } from "../report.ts";
import type { TransactionsExpected } from "../rehearsal.ts";
import { EVICTED, type Evidence, exchangeOf, failed, passed, matchingRows, describeCount } from "./evidence.ts";

/** How many transactions are in which state. */
export function gradeTransactions({ match, counts }: TransactionsExpected, evidence: Evidence): Verdict {
  if (!evidence.isComplete) return EVICTED;
  const matched = matchingRows(evidence, match).flatMap(({ requestId }) => evidence.state.transactions.get(requestId) ?? []);
  const perState = counts.map(({ state, count }) => ({
    state,
    found: matched.filter((one) => isIn(one, state)),
    holds: compileComparison(count),
  }));
  const seen = `${perState.map(({ state, found }) => `${found.length} ${state}`).join(", ")} of ${describeCount(matched.length, "transaction")}`;
  const wrong = perState.filter(({ found, holds }) => !holds(found.length));
  if (wrong.length === 0) return passed(seen);
  return failed(
    seen,
    matched.map(({ accepted }) => exchangeOf(accepted)),
  );
}

function isIn({ progress }: Transaction, state: string): boolean {
  return progress.state === state;
}
