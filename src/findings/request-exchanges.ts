import type { Exchange } from "./finding.ts";

/** Requests as proof, oldest first. */
export function requestExchanges(requestIds: readonly string[]): Exchange[] {
  return requestIds.map((requestId) => ({ kind: "request", requestId }));
}
