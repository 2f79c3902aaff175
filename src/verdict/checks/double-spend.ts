import { type Detector, NOTHING, type Observation } from "./check.ts";
import { describeOrder, describeDuration } from "./describe.ts";
import { requestExchanges } from "./finding.ts";
import type { Repeat } from "./sent-orders.ts";

/** Reports an order accepted a second time because the client never got the answer to the first. */
export const doubleSpend: Detector = {
  id: "double-spend",
  severity: "defect",
  title: "An order was paid for twice after a lost acknowledgment",
  why: "A lost or late acknowledgment says nothing about the outcome: the first order may have been accepted, and here it was. Sent again, it is charged and delivered twice.",
  repair:
    "If the answer is missing, store the order as unknown and never resend it automatically. Wait for a callback, or compare your records with the balance of account-details, and decide then.",
  assumes:
    "Two orders with the same number and amount (for SMS: number, sender and text) within 10 minutes of wall time, or while the first is unresolved, are one intention if the client had no answer to the first. A customer who buys the same twice in that time looks the same from outside.",
  kinds: ["accepted", "client-left", "settled", "attempted", "queried"],
  watch:
    (_settings, { orders }) =>
    (event) => {
      const repeat = orders.see(event);
      return repeat === undefined ? NOTHING : judge(repeat);
    },
};

function judge({ earlier, again, apart, uncertainty }: Repeat): readonly Observation[] {
  if (uncertainty === undefined || again.kind !== "accepted" || !earlier.wasAccepted) return NOTHING;
  const { order, requestId } = again;
  const outcome = earlier.outcome === "succeeded" ? "had succeeded" : "was unresolved";
  return [
    {
      subject: `${order.operation} ${order.phoneNumber}`,
      seen: `${describeOrder(order)} was accepted twice, ${describeDuration(apart)} apart: ${uncertainty.because}, and it ${outcome} when the second came.`,
      exchanges: requestExchanges([earlier.requestId, requestId]),
    },
  ];
}
