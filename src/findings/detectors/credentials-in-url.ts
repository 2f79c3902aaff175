import { isRequestEvent } from "../../account/events.ts";
import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { requestExchanges } from "../request-exchanges.ts";

/** A secret travelled in the URL. */
export const credentialsInUrl: Detector = {
  id: "credentials-in-url",
  severity: "risk",
  title: "Credentials came in the URL",
  why: "URLs are written into the logs of proxies, load balancers and frameworks, so whoever reads a log can spend your wallet; the gateway reads the Authorization header alone (document 5).",
  mend: "Send Authorization: Basic with the Base64 of key:secret, take the parameters out of the URL, and have the secret replaced if this one was ever used for real money.",
  assumes: "A query parameter with such a name holds a secret. Its value is neither looked at nor kept.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => (event) => {
    if (!isRequestEvent(event)) return NOTHING;
    const exposed = event.manner?.exposed;
    return exposed !== undefined && exposed.length > 0 ? [sight(event.requestId, exposed)] : NOTHING;
  },
};

function sight(requestId: string, exposed: readonly string[]): Sighting {
  const names = exposed.join(", ");
  return { subject: names, seen: `A request carried ${names} in its URL.`, exchanges: requestExchanges([requestId]) };
}
