import { MINUTE, SECOND } from "../../domain/time.ts";
import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { orderInWords, timeInWords } from "../in-words.ts";
import { requestExchanges } from "../request-exchanges.ts";
import { sentAt } from "../sent-at.ts";
import type { Repeat } from "../sent-orders.ts";

/** An order was sent again that stands already, or that may have: `double-spend` is the case where that lost money. */
export const repeatedOrder: Detector = {
  id: "repeated-order",
  severity: "risk",
  title: "An order was sent again that may already have gone through",
  why: "The gateway promises no duplicate detection (document 4, rule 3): each accepted request is charged and delivered, whether or not somebody wanted it twice.",
  mend: "Give each order an identity of its own before it is sent, send it once, and let a job or a second click that meets an order under way join it. After a broken connection find out first what became of it.",
  assumes:
    "Airtime for the same number and amount within 5 minutes (what older public pages of the live gateway refuse as a repeat), or the same SMS within 10 s, is one intention as long as the backend has not acknowledged the first one's success; after a broken connection that holds for 10 minutes.",
  kinds: ["accepted", "cut", "refused", "client-left", "settled", "attempted"],
  watch:
    (_settings, { orders }) =>
    (event) => {
      const repeat = orders.see(event);
      return repeat === undefined ? NOTHING : judge(repeat);
    },
};

/** Older public pages of the gateway reject similar airtime within 5 minutes (public-facts.md); a person asks for a code again sooner. */
const ONE_INTENTION = { airtime: 5 * MINUTE, sms: 10 * SECOND } as const;

function judge(repeat: Repeat): readonly Sighting[] {
  const { earlier, again, apart } = repeat;
  const what = sayWhat(repeat);
  if (what === undefined || again.order === undefined) return NOTHING;
  const { order, requestId } = again;
  return [
    {
      subject: `${order.operation} ${order.phoneNumber}`,
      seen: `${orderInWords(order)} was sent again after ${timeInWords(apart)}: ${what}.`,
      exchanges: requestExchanges([earlier.requestId, requestId]),
    },
  ];
}

function sayWhat({ earlier, again, apart, doubt }: Repeat): string | undefined {
  if (doubt !== undefined) return sayDoubt(doubt.because, { earlier, again });
  const isOneIntention = again.order !== undefined && apart <= ONE_INTENTION[again.order.operation];
  if (again.kind !== "accepted" || !isOneIntention || !earlier.wasAccepted || earlier.isReported) return undefined;
  const answered = earlier.doubt === undefined || sentAt(again) >= earlier.doubt.until ? "had been acknowledged" : "was not answered yet";
  const fate = earlier.fate === "succeeded" ? "had succeeded" : "was unresolved";
  return `the first ${answered} and ${fate}, and the second was accepted too`;
}

/** Two that were both accepted are for `double-spend`; what the gateway's own check for repeats refused (422) did no harm. */
function sayDoubt(because: string, { earlier, again }: Pick<Repeat, "earlier" | "again">): string | undefined {
  if (again.kind === "refused" && again.code === 422) return undefined;
  if (!earlier.wasAccepted) return `${because}; it had not been accepted, but its sender cannot have known that`;
  if (again.kind === "refused") return `${because}, and only its refusal (${again.code}) kept the second from being paid for too`;
  return again.kind === "cut" ? `${because}, and only the broken connection of the second kept it from being paid for too` : undefined;
}
