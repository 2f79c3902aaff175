/**
 * Judges a backend by its journal and its own words: checks, trials, exploration, rehearsals, reports and the callback doctor. These are
 * its endpoints. It may import control, to whose API it adds them, and the gateway.
 */

import type { LiveFindings } from "../checks/live-findings.ts";
import { Hono } from "hono";
import type { ControlEnv } from "../../control/env.ts";
import type { EventStreamAddition } from "../../control/event-stream-addition.ts";
import { doctorCalls } from "./callback-doctor.ts";
import { explorationCalls, explorationProgress, observeExploration } from "./exploration.ts";
import { findingCalls, findingJson } from "./findings.ts";
import { reportCalls } from "./report.ts";

export function verdictCalls(findings: LiveFindings) {
  const { ofAccount, ofNone } = findingCalls(findings);
  return new Hono<ControlEnv>()
    .route(OF_ACCOUNT, doctorCalls)
    .route(OF_ACCOUNT, ofAccount)
    .route("/", ofNone)
    .route(OF_ACCOUNT, reportCalls(findings))
    .route(OF_ACCOUNT, explorationCalls);
}

const OF_ACCOUNT = "/accounts/:account";

/** Streams each finding just before the event that led to it, and the progress of the latest exploration. */
export function streamVerdicts(findings: LiveFindings): EventStreamAddition {
  return {
    frames: (account, after, until) =>
      findings
        .of(account)
        .between(after, until)
        .map(({ number, finding }) => ({
          number,
          event: "finding",
          data: findingJson(finding, account),
        })),
    notice: (account) => ({
      event: "exploration",
      observe: (changed) => observeExploration(account, changed),
      read: () => explorationProgress(account),
    }),
  };
}
