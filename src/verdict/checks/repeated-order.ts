import { MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { describeOrder, describeDuration } from "./describe.ts";
import { requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";
import type { Repeat } from "./sent-orders.ts";

/** Reports an order that was sent again although it went through, or may have. `double-spend` covers the case where that lost money. */
export const repeatedOrder: Detector = {
  id: "repeated-order",
  severity: "risk",
  title: "An order was sent again that may already have gone through",
  why: "The gateway promises no duplicate detection (document 4, rule 3): each accepted request is charged and delivered, whether or not anybody wanted it twice.",
  repair:
    "Give each order its own identity before sending it, and send it once. A job or a second click that finds the order under way should join it. After a broken connection, find out first what became of the order.",
  assumes:
    "Airtime for the same number and amount within 5 minutes (what older public pages of the live gateway refuse as a repeat), or the same SMS within 10 s, is one intention until the backend acknowledges the first one's success. After a broken connection that holds for 10 minutes, or as long as the first is unresolved. A backend that read account-details in between decided by the balance.",
  kinds: ["accepted", "cut", "refused", "client-left", "settled", "attempted", "queried"],
  watch:
    (_settings, { orders }) =>
    (event) => {
      const repeat = orders.see(event);
      return repeat === undefined ? NOTHING : judge(repeat);
    },
};

/**
 * Older public pages of the gateway say that similar airtime within 5 minutes is rejected (public-facts.md). People request a code by SMS
 * again sooner.
 */
const ONE_INTENTION = { airtime: 5 * MINUTE, sms: 10 * SECOND } as const;

function judge(repeat: Repeat): readonly Observation[] {
  const { earlier, again, apart } = repeat;
  const isInformed = repeat.uncertainty !== undefined && repeat.isBalanceChecked;
  const what = isInformed ? undefined : describeRepeat(repeat);
  if (what === undefined || again.order === undefined) return NOTHING;
  const { order, requestId } = again;
  return [
    {
      subject: `${order.operation} ${order.phoneNumber}`,
      seen: `${describeOrder(order)} was sent again after ${describeDuration(apart)}: ${what}.`,
      exchanges: requestExchanges([earlier.requestId, requestId]),
    },
  ];
}

function describeRepeat({ earlier, again, apart, uncertainty }: Repeat): string | undefined {
  if (uncertainty !== undefined) return describeUncertain(uncertainty.because, { earlier, again });
  const isOneIntention = again.order !== undefined && apart <= ONE_INTENTION[again.order.operation];
  if (again.kind !== "accepted" || !isOneIntention || !earlier.wasAccepted || earlier.isReported) return undefined;
  const answered =
    earlier.uncertainty === undefined || sentAt(again) >= earlier.uncertainty.until
      ? "had been acknowledged"
      : "was not answered yet";
  const outcome = earlier.outcome === "succeeded" ? "had succeeded" : "was unresolved";
  return `the first ${answered} and ${outcome}, and the second was accepted too`;
}

/** Two accepted orders belong to `double-spend`. A repeat that the gateway itself refused (422) did no harm. */
function describeUncertain(because: string, { earlier, again }: Pick<Repeat, "earlier" | "again">): string | undefined {
  if (again.kind === "refused" && again.code === 422) return undefined;
  if (!earlier.wasAccepted) return `${because}; it had not been accepted, but the client could not know that`;
  if (again.kind === "refused")
    return `${because}, and only its refusal (${again.code}) kept the second from being paid for too`;
  return again.kind === "cut"
    ? `${because}, and only the broken connection of the second kept it from being paid for too`
    : undefined;
}
