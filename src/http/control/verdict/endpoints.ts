import type { LiveFindings } from "../../../verdict/live-findings.ts";
import type { NetworkProbe } from "../../../ports/network-probe.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Alongside } from "../events.ts";
import { doctorEndpoint, TEST_ENDPOINT } from "./callback-doctor.ts";
import { EXPLORATION_ENDPOINTS, explorationProgress, observeExploration } from "./exploration.ts";
import { findingEndpoints, findingJson } from "./findings.ts";
import { reportEndpoint } from "./report.ts";

/** The endpoints that judge a backend. */
export function verdictEndpoints(findings: LiveFindings, probe: NetworkProbe): Endpoint[] {
  return [
    TEST_ENDPOINT,
    doctorEndpoint(probe),
    ...findingEndpoints(findings),
    reportEndpoint(findings),
    ...EXPLORATION_ENDPOINTS,
  ];
}

/** Streams each finding just before the event that led to it, and the progress of the latest exploration. */
export function streamVerdicts(findings: LiveFindings): Alongside {
  return {
    frames: (account, after, until) =>
      findings
        .of(account)
        .between(after, until)
        .map(({ number, finding }) => ({ number, event: "finding", data: findingJson(finding, account) })),
    notice: (account) => ({
      event: "exploration",
      observe: (changed) => observeExploration(account, changed),
      read: () => explorationProgress(account),
    }),
  };
}
