import type { Known, OrderReading } from "./order.ts";

/** Says what the backend can know: "delivered", "accepted, not the result", "delivered, then failed". */
export function describeKnown(reading: OrderReading): string {
  const { known, answered, held, told } = reading;
  const mistold = describeMistold(reading);
  if (known === "both") return resultsOf(told);
  if (mistold !== undefined) return answered.by === "gateway" ? `accepted; ${mistold}` : mistold;
  if (known === "refused" && answered.by === "gateway") return `refused with ${answered.status}`;
  if (known === "nothing" && answered.by === "scenario") return `${answered.status}, which is not the gateway's answer`;
  return known === "accepted" && held === 0 ? "accepted, not the result" : known;
}

/** Says how callbacks that were acknowledged failed to tell the result; undefined if they did not fail. */
export function describeMistold({ known, told }: Pick<OrderReading, "known" | "told">): string | undefined {
  return known === "both" ? `told ${resultsOf(told)}` : MISTOLD[known];
}

const MISTOLD: Readonly<Partial<Record<Known, string>>> = {
  unreadable: "told something unreadable",
  wrong_type: "told with the wrong content type",
  other_id: "told under an id it never got",
};

function resultsOf(told: OrderReading["told"]): string {
  return [...new Set(told.filter((one) => one === "delivered" || one === "failed"))].join(", then ");
}
