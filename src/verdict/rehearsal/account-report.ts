import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import { readLedger } from "../../gateway/account/readings/ledger.ts";
import { walletCurve } from "../../gateway/account/readings/wallet-curve.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { type Instant, SECOND } from "../../gateway/domain/time.ts";
import type { Finding } from "../checks/finding.ts";
import { sentAt } from "../checks/sent-at.ts";
import { describeClock } from "./report-text.ts";
import { describeExpectation } from "./describe-expectation.ts";
import { gradeCallbacks } from "./grade/callbacks.ts";
import { type Evidence, notAssessed, readEvidence, describeCount, countUnsettled } from "./grade/evidence.ts";
import { gradeFindings } from "./grade/findings.ts";
import { NO_DEFECTS } from "./check-schema.ts";
import type { Check, Report, Verdict } from "./report.ts";
import { readTimeline } from "./timeline.ts";
import { listMissingProbes } from "./missing-probes.ts";

export interface AccountToReport {
  readonly name: string;
  readonly kept: JournalSlice;
  /** Since the last reset, including findings whose events were evicted. */
  readonly findings: readonly Finding[];
  /** The number of evicted requests. */
  readonly evicted: number;
  readonly wallNow: Instant;
}

/** Reports on an account used without a rehearsal, for example by a test suite or manually. */
export function reportOnAccount({ name, kept, findings, evicted, wallNow }: AccountToReport): Report {
  const evidence = readEvidence(kept, findings);
  const first = kept.events.find(isRequestEvent);
  const startedAt = Math.min(first === undefined ? wallNow : sentAt(first), wallNow);
  return {
    name: `account ${name}`,
    startedAt,
    duration: wallNow - startedAt,
    clock: describeClock(evidence.state.clock),
    seed: evidence.state.seed,
    checks: [
      // Findings outlive the events they came from, so this check is always complete.
      {
        name: describeExpectation(NO_DEFECTS),
        verdict: gradeFindings(NO_DEFECTS.findings, { ...evidence, isComplete: true }),
      },
      {
        name: describeExpectation(ALL_IN_TIME),
        verdict: unlessPending(gradeCallbacks(ALL_IN_TIME.callbacks, evidence), evidence),
      },
      ...listMissingProbes([], evidence).map(inRehearsal),
    ],
    findings,
    timeline: readTimeline(kept),
    ...(evicted > 0 && { evicted }),
    wallet: walletCurve(readLedger(kept)),
  };
}

/** The receiver's time limit for an answer (document 6). */
const ALL_IN_TIME = { callbacks: { acknowledged: "all", acknowledged_within: 3 * SECOND } } as const;

/** Withholds a pass while callbacks are pending, because they may still fail. A failure is final. */
function unlessPending(verdict: Verdict, evidence: Evidence): Verdict {
  const waiting = countUnsettled(evidence);
  if (verdict.is === "failed" || waiting === 0) return verdict;
  return notAssessed(
    `the end of ${describeCount(waiting, "transaction that is not done", "transactions that are not done")}; drain, or advance the clock`,
  );
}

function inRehearsal({ verdict, ...check }: Check): Check {
  return {
    ...check,
    verdict: verdict.is === "not assessed" ? notAssessed(`a rehearsal with ${verdict.needs}`) : verdict,
  };
}
