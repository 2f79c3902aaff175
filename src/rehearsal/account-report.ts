import { isRequestEvent } from "../account/events.ts";
import type { KeptEvents } from "../account/readings/kept-events.ts";
import { type Instant, SECOND } from "../domain/time.ts";
import type { Finding } from "../findings/finding.ts";
import { sentAt } from "../findings/sent-at.ts";
import { describeClock } from "./describe-clock.ts";
import { describeExpectation } from "./describe-expectation.ts";
import { gradeCallbacks } from "./grade/callbacks.ts";
import { type Evidence, notAssessed, readEvidence, sayCount, stillToCome } from "./grade/evidence.ts";
import { gradeFindings } from "./grade/findings.ts";
import { NO_DEFECTS } from "./no-defects.ts";
import type { CallbacksExpected } from "./rehearsal.ts";
import type { Check, Report, Verdict } from "./report.ts";
import { readStory } from "./story.ts";
import { listUnprobed } from "./unprobed.ts";
import { readWalletCurve } from "./wallet-curve.ts";

/** An account as it is seen from outside. */
export interface Watched {
  readonly name: string;
  readonly kept: KeptEvents;
  /** Of all its time, also of events that were evicted since. */
  readonly findings: readonly Finding[];
  /** Requests that were evicted. */
  readonly evicted: number;
  readonly wallNow: Instant;
}

/** What can be said of an account that was driven by nobody's rehearsal: by a test suite, say, or by hand. */
export function reportOnAccount({ name, kept, findings, evicted, wallNow }: Watched): Report {
  const evidence = readEvidence(kept, findings);
  const first = kept.events.find(isRequestEvent);
  const startedAt = Math.min(first === undefined ? wallNow : sentAt(first), wallNow);
  return {
    name: `account ${name}`,
    startedAt,
    took: wallNow - startedAt,
    clock: describeClock(evidence.state.clock),
    seed: evidence.state.seed,
    checks: [
      // Findings outlive the events that they came from.
      { name: describeExpectation(NO_DEFECTS), verdict: gradeFindings(NO_DEFECTS, { ...evidence, isWhole: true }) },
      { name: describeExpectation(ALL_IN_TIME), verdict: patiently(gradeCallbacks(ALL_IN_TIME, evidence), evidence) },
      ...listUnprobed([], evidence).map(inRehearsal),
    ],
    findings,
    story: readStory(kept),
    ...(evicted > 0 && { evicted }),
    wallet: readWalletCurve(kept),
  };
}

/** The receiver's time for an answer (document 6). */
const ALL_IN_TIME: CallbacksExpected = { kind: "callbacks", acknowledged: "all", acknowledgedWithin: 3 * SECOND };

/** Nobody can say yet of callbacks that are to come; a failure stands already. */
function patiently(verdict: Verdict, evidence: Evidence): Verdict {
  const waiting = stillToCome(evidence);
  if (verdict.is === "failed" || waiting === 0) return verdict;
  return notAssessed(
    `the end of ${sayCount(waiting, "transaction that is not done", "transactions that are not done")}; drain, or advance the clock`,
  );
}

function inRehearsal({ name, verdict }: Check): Check {
  return { name, verdict: verdict.is === "not assessed" ? notAssessed(`a rehearsal with ${verdict.needs}`) : verdict };
}
