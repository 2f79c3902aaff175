import { type LedgerEntry, readLedger } from "../../account/readings/ledger.ts";
import type { Comparison } from "../../domain/scenario.ts";
import { available } from "../../domain/wallet.ts";
import type { Exchange } from "../../findings/finding.ts";
import { compileComparison } from "../../scenario/matchers/comparison.ts";
import { printCents } from "../../scenario/say-values.ts";
import type { Verdict } from "../report.ts";
import type { WalletExpected } from "../rehearsal.ts";
import { EVICTED, type Evidence, failed, notYet, passed, sayCount, stillToCome } from "./evidence.ts";

/** What it cost, in whole cents. */
export function gradeWallet({ spent, available: left }: WalletExpected, evidence: Evidence): Verdict {
  if (spent !== undefined && !evidence.isWhole) return EVICTED;
  if (stillToCome(evidence) > 0 && hasHolds(evidence)) return notYet(stillToCome(evidence));
  const costs = readLedger(evidence.kept).filter(({ kind }) => kind === "charge" || kind === "fee");
  const sums = [
    ...(spent === undefined ? [] : [{ word: "spent", sum: -costs.reduce((sum, { amount }) => sum + amount, 0), wanted: spent }]),
    ...(left === undefined ? [] : [{ word: "available", sum: Number(available(evidence.state.wallet)), wanted: left }]),
  ];
  const saw = sums.map(({ word, sum }) => `KES ${printCents(sum)} ${word}`).join(", ");
  return sums.every(({ sum, wanted }) => holds(sum, wanted))
    ? passed(`${saw} in ${sayCount(costs.length, "charge")}`)
    : failed(`${saw} in ${sayCount(costs.length, "charge")}`, costs.flatMap(exchangesOf));
}

function hasHolds({ state }: Evidence): boolean {
  return state.wallet.held > 0;
}

function holds(sum: number, wanted: Comparison): boolean {
  return compileComparison(wanted)(sum);
}

/** A fee is no request's. */
function exchangesOf({ requestId }: LedgerEntry): Exchange[] {
  return requestId === undefined ? [] : [{ kind: "request", requestId }];
}
