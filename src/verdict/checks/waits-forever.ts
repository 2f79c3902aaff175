import { requestExchanges } from "./finding.ts";
import { describeDuration } from "./describe.ts";
import { type Detector, NOTHING } from "./check.ts";

/** Reports a client without a timeout. */
export const waitsForever: Detector = {
  id: "waits-forever",
  severity: "defect",
  title: "The client waits for an answer without a timeout",
  why: "An answer can get lost on the way. A client without a timeout keeps the customer waiting, and soon blocks every worker and connection of the backend. Its orders stay unfinished although the gateway delivered them.",
  repair:
    "Set a timeout of 10 to 30 seconds for calls to the gateway (Node: signal: AbortSignal.timeout(10_000); PHP: CURLOPT_TIMEOUT; Python requests: timeout=10; Java: HttpRequest.timeout), and treat a timeout as an unknown outcome.",
  assumes:
    "Common timeouts of HTTP clients are at most 30 s. A longer one counts as none, because no customer waits that long.",
  kinds: ["client-waits"],
  watch: () => (event) => {
    if (event.kind !== "client-waits") return NOTHING;
    const seen = `${describeDuration(event.waited)} after its request, the client is still waiting for an answer that never comes.`;
    return [{ subject: "", seen, exchanges: requestExchanges([event.requestId]) }];
  },
};
