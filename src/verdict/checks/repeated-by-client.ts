import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import { describeOrder } from "./describe.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { requestExchanges } from "./finding.ts";
import { RecentMap } from "./recent-map.ts";
import { sentAt } from "./sent-at.ts";

/** Reports an order that an HTTP library silently sent again after a reset. */
export const repeatedByClient: Detector = {
  id: "repeated-by-client",
  severity: "risk",
  title: "An HTTP client silently repeated an order",
  why: "Many HTTP libraries silently send a request again when a connection from their pool turns out to be closed. The gateway may have accepted the first one: then it charges and delivers both, and the application only ever sees the second.",
  repair:
    "Turn it off for orders. PHP and curl: CURLOPT_FORBID_REUSE (Guzzle: 'curl' => [CURLOPT_FORBID_REUSE => true]). OkHttp: retryOnConnectionFailure(false). Java's HttpURLConnection: -Dsun.net.http.retryPost=false. Apache HttpClient: disableAutomaticRetries(). Python's requests and urllib3: Retry(total=0). Go: a Transport with DisableKeepAlives. If your own code retries at once, make it find out first what became of the order.",
  assumes:
    "Only an HTTP library sends the same order again within 100 ms of a reset on a connection that it had used before. A retry loop of your own that does not wait looks the same.",
  kinds: ["accepted", "cut", "refused"],
  watch: () => {
    const broken = new RecentMap<number, BrokenOrder>();
    return (event) => (isRequestEvent(event) ? judge(event, broken) : NOTHING);
  },
};

/** A library repeats at once; the slowest part is opening a new connection. A person, or a retry loop with a pause, takes longer. */
const AT_ONCE: Millis = 100;

interface BrokenOrder {
  readonly requestId: string;
  /** When the client noticed the reset (wall time). */
  readonly at: Instant;
}

function judge(event: RequestEvent, broken: RecentMap<number, BrokenOrder>): readonly Observation[] {
  const earlier = broken.get(event.content);
  if (wasResetOnReuse(event))
    broken.set(event.content, { requestId: event.requestId, at: sentAt(event) + (event.rules?.ack?.delay ?? 0) });
  else broken.delete(event.content);
  if (earlier === undefined || !("order" in event) || event.order === undefined) return NOTHING;
  const wait = sentAt(event) - earlier.at;
  if (wait < 0 || wait >= AT_ONCE) return NOTHING;
  const { order, requestId } = event;
  return [
    {
      subject: order.operation,
      seen: `${describeOrder(order)} came again ${wait} ms after its connection, which had been used before, was reset.`,
      exchanges: requestExchanges([earlier.requestId, requestId]),
    },
  ];
}

/** Libraries only repeat requests that were sent over a reused connection, and only if no byte came back. */
function wasResetOnReuse({ rules, traits }: RequestEvent): boolean {
  const isSilent = rules?.breakage === "reset" || rules?.breakage === "empty";
  return isSilent && traits?.isFirstOnConnection !== true;
}
