import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { orderInWords, timeInWords } from "../in-words.ts";
import { requestExchanges } from "../request-exchanges.ts";
import type { Repeat } from "../sent-orders.ts";

/** An order was accepted a second time, because the answer to the first never reached its sender. */
export const doubleSpend: Detector = {
  id: "double-spend",
  severity: "defect",
  title: "An order was paid for twice after a lost acknowledgment",
  why: "A lost or late acknowledgment says nothing: the first order may have been accepted, and here it was. Sent again, it is charged and delivered twice.",
  mend: "Store the order as unknown when its answer is missing, and never send it again by itself: wait for a callback, or compare the books with the balance of account-details, and let that decide.",
  assumes:
    "Two orders with the same number and amount (for SMS: number, sender and text) within 10 minutes of wall time are one intention, where the client had no answer to the first. One customer who buys the same twice in that time looks the same from outside.",
  kinds: ["accepted", "client-left", "settled"],
  watch:
    (_settings, { orders }) =>
    (event) => {
      const repeat = orders.see(event);
      return repeat === undefined ? NOTHING : judge(repeat);
    },
};

function judge({ earlier, again, apart, doubt }: Repeat): readonly Sighting[] {
  if (doubt === undefined || again.kind !== "accepted" || !earlier.wasAccepted) return NOTHING;
  const { order, requestId } = again;
  const fate = earlier.fate === "succeeded" ? "had succeeded" : "was unresolved";
  return [
    {
      subject: `${order.operation} ${order.phoneNumber}`,
      seen: `${orderInWords(order)} was accepted twice, ${timeInWords(apart)} apart: ${doubt.because}, and it ${fate} when the second came.`,
      exchanges: requestExchanges([earlier.requestId, requestId]),
    },
  ];
}
