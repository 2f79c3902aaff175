/**
 * Judges a backend by its journal and its own words: checks, trials, exploration, rehearsals, reports and the callback doctor. These are
 * its endpoints. It may import control, to whose API it adds them, and the gateway.
 */

import type { LiveFindings } from "../checks/live-findings.ts";
import type { ControlRoute } from "../../control/route.ts";
import type { Alongside } from "../../control/events.ts";
import { DOCTOR_ROUTE } from "./callback-doctor.ts";
import { EXPLORATION_ROUTES, explorationProgress, observeExploration } from "./exploration.ts";
import { findingRoutes, findingJson } from "./findings.ts";
import { reportRoute } from "./report.ts";

export function verdictRoutes(findings: LiveFindings): ControlRoute[] {
  return [DOCTOR_ROUTE, ...findingRoutes(findings), reportRoute(findings), ...EXPLORATION_ROUTES];
}

/** Streams each finding just before the event that led to it, and the progress of the latest exploration. */
export function streamVerdicts(findings: LiveFindings): Alongside {
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
