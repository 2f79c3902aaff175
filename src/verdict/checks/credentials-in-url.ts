import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { requestExchanges } from "./finding.ts";

/** Reports a secret sent in the URL. */
export const credentialsInUrl: Detector = {
  id: "credentials-in-url",
  severity: "risk",
  title: "Credentials were sent in the URL",
  why: "Proxies, load balancers and frameworks log URLs, so whoever reads a log can spend your wallet. The gateway reads only the Authorization header (document 5).",
  repair:
    "Send Authorization: Basic with the Base64 of key:secret, remove the parameters from the URL, and have the secret replaced if it was ever used for real money.",
  assumes: "A query parameter with such a name holds a secret. Its value is neither read nor stored.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => (event) => {
    if (!isRequestEvent(event)) return NOTHING;
    const exposed = event.traits?.exposed;
    return exposed !== undefined && exposed.length > 0 ? [observe(event.requestId, exposed)] : NOTHING;
  },
};

function observe(requestId: string, exposed: readonly string[]): Observation {
  const names = exposed.join(", ");
  return { subject: names, seen: `A request carried ${names} in its URL.`, exchanges: requestExchanges([requestId]) };
}
