import { type LedgerLine, readLedger } from "../../../gateway/account/readings/ledger.ts";
import { available } from "../../../gateway/domain/wallet.ts";
import type { Exchange } from "../../checks/finding.ts";
import { compileComparison } from "../../../gateway/scenario/comparison.ts";
import { printCents } from "../../../gateway/scenario/values.ts";
import type { Verdict } from "../report.ts";
import type { WalletCheck } from "../check-schema.ts";
import { EVICTED, type Evidence, failed, notSettledYet, passed, describeCount, countUnsettled } from "./evidence.ts";

/** Judges the cost and the remaining balance, in whole cents. */
export function gradeWallet({ spent, available: left }: WalletCheck, evidence: Evidence): Verdict {
  if (spent !== undefined && !evidence.isComplete) return EVICTED;
  if (countUnsettled(evidence) > 0 && evidence.state.wallet.held > 0) return notSettledYet(countUnsettled(evidence));
  const costs = readLedger(evidence.kept).filter(({ kind }) => kind === "charge" || kind === "fee");
  const sums = [
    ...(spent === undefined
      ? []
      : [{ word: "spent", sum: -costs.reduce((sum, { amount }) => sum + amount, 0), wanted: spent }]),
    ...(left === undefined ? [] : [{ word: "available", sum: Number(available(evidence.state.wallet)), wanted: left }]),
  ];
  const seen = sums.map(({ word, sum }) => `KES ${printCents(sum)} ${word}`).join(", ");
  return sums.every(({ sum, wanted }) => compileComparison(wanted)(sum))
    ? passed(`${seen} in ${describeCount(costs.length, "charge")}`)
    : failed(`${seen} in ${describeCount(costs.length, "charge")}`, costs.flatMap(exchangesOf));
}

/** A fee belongs to no request. */
function exchangesOf({ requestId }: LedgerLine): Exchange[] {
  return requestId === undefined ? [] : [{ kind: "request", requestId }];
}
