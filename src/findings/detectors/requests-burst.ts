import { isRequestEvent } from "../../account/events.ts";
import type { Instant } from "../../domain/time.ts";
import { type Detector, NOTHING, type Watch, type WatchSettings } from "../detector.ts";
import { timeInWords } from "../in-words.ts";
import { requestExchanges } from "../request-exchanges.ts";
import { sentAt } from "../sent-at.ts";

/** More requests at once than somebody has said are fine. */
export const requestsBurst: Detector = {
  id: "requests-burst",
  severity: "risk",
  title: "Requests came in a burst",
  why: "The gateway's document states no rate (section 8), so this one is yours; a live gateway that has one answers 429 to what is above it, when it is busiest.",
  mend: "Send through one queue with a limit of its own, a token bucket say, shared by all workers, instead of letting each send when it likes.",
  assumes:
    "The stated rate is meant for the whole account, in wall time. A window begins with its first request, so that a burst across two windows may go unseen.",
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
    const seen = `More than ${requests} requests came within ${timeInWords(per)}: the next one ${timeInWords(at - first.at)} after the first.`;
    const exchanges = requestExchanges([first.requestId, event.requestId]);
    return [{ subject: `${requests} in ${timeInWords(per)}`, seen, exchanges }];
  };
}
