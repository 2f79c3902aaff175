import { compileComparison } from "../../../gateway/scenario/comparison.ts";
import { TRANSACTION_STATES, type TransactionsCheck } from "../check-schema.ts";
import type { Verdict } from "../report.ts";
import { EVICTED, type Evidence, exchangeOf, failed, passed, matchingRows, describeCount } from "./evidence.ts";

/** Judges the number of transactions in each state. */
export function gradeTransactions({ match, ...counts }: TransactionsCheck, evidence: Evidence): Verdict {
  if (!evidence.isComplete) return EVICTED;
  const matched = matchingRows(evidence, match).flatMap(
    ({ requestId }) => evidence.state.transactions.get(requestId) ?? [],
  );
  const perState = TRANSACTION_STATES.flatMap((state) => {
    const count = counts[state];
    const found = matched.filter(({ progress }) => progress.state === state).length;
    return count === undefined ? [] : [{ state, found, holds: compileComparison(count)(found) }];
  });
  const seen = `${perState.map(({ state, found }) => `${found} ${state}`).join(", ")} of ${describeCount(matched.length, "transaction")}`;
  if (perState.every(({ holds }) => holds)) return passed(seen);
  return failed(
    seen,
    matched.map(({ accepted }) => exchangeOf(accepted)),
  );
}
