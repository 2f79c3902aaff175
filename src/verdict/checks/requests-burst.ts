import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import { type Detector, NOTHING, type Watch, type WatchSettings } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";

/** Reports more requests in a period than the settings allow. */
export const requestsBurst: Detector = {
  id: "requests-burst",
  severity: "risk",
  title: "Requests came in a burst",
  why: "The gateway's document states no rate (section 8), so this limit is yours. A live gateway that has one answers 429 above it, when it is busiest.",
  repair: "Send through one queue with its own limit (such as a token bucket), shared by all workers.",
  assumes:
    "The limit applies to the whole account, in wall time. A window begins with its first request, so a burst across two windows may go unseen.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: ({ burst }) => (burst === undefined ? () => NOTHING : watchRate(burst)),
};

function watchRate({ requests, per }: NonNullable<WatchSettings["burst"]>): Watch {
  let count = 0;
  let first: { readonly requestId: string; readonly at: Instant } | undefined;
  return (event) => {
    if (!isRequestEvent(event)) return NOTHING;
    const at = sentAt(event);
    if (first === undefined || at >= first.at + per || at < first.at) {
      first = { requestId: event.requestId, at };
      count = 0;
    }
    count += 1;
    if (count !== requests + 1) return NOTHING;
    const seen = `More than ${requests} requests came within ${describeDuration(per)}: the next one ${describeDuration(at - first.at)} after the first.`;
    const exchanges = requestExchanges([first.requestId, event.requestId]);
    return [{ subject: `${requests} in ${describeDuration(per)}`, seen, exchanges }];
  };
}
