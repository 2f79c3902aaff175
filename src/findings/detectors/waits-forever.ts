import { requestExchanges } from "../finding.ts";
import { describeDuration } from "../describe.ts";
import { type Detector, NOTHING } from "../detector.ts";

/** A client has no limit for an answer. */
export const waitsForever: Detector = {
  id: "waits-forever",
  severity: "defect",
  title: "The client waits for an answer without a limit",
  why: "An answer can get lost on the way. Whoever waits for it without a limit holds up the customer, and soon every worker and connection of the backend; its orders stay unfinished, although the gateway delivered them.",
  repair:
    "Set a timeout of 10 to 30 seconds for calls to the gateway (Node: signal: AbortSignal.timeout(10_000); PHP: CURLOPT_TIMEOUT; Python requests: timeout=10; Java: HttpRequest.timeout), and take its end for an unknown outcome.",
  assumes: "The usual limits of HTTP clients end at 30 s. A longer one counts as none: no customer waits that long.",
  kinds: ["client-waits"],
  watch: () => (event) => {
    if (event.kind !== "client-waits") return NOTHING;
    const seen = `The client still waits, ${describeDuration(event.waited)} after its request, for an answer that never comes.`;
    return [{ subject: "", seen, exchanges: requestExchanges([event.requestId]) }];
  },
};
