import type { HttpReply } from "../../control/client/http-exchange.ts";
import { type PlacedOrder, placementOf } from "./placed-order.ts";

export interface Claimed {
  readonly claim: "paid" | "failed" | "open" | "gone" | "no answer" | "not asked";
  readonly said: string;
  /** With "no answer": whether the application ended the connection or did not accept one, instead of being late. */
  readonly isEnded?: boolean;
  /** With "not asked": whether the application's own rate limit answered. */
  readonly isLimited?: boolean;
  /** The question and its answer, if that says that there is no such order. */
  readonly notFound?: string;
}

export function claimSilent({ reason, isLate }: Extract<HttpReply, { kind: "silent" }>, what: string): Claimed {
  return { claim: "no answer", said: `${what} (${reason})`, isEnded: isLate !== true };
}

interface MissingStatus {
  readonly asked: string;
  readonly status: number;
  /** Whether the same question found another order. */
  readonly isMapRight: boolean;
}

export function claimMissing(order: PlacedOrder, { asked, status, isMapRight }: MissingStatus): Claimed {
  if (status !== 404 && status !== 410) return { claim: "not asked", said: asked };
  const { reply, isCut } = order;
  const isUnknown = reply.kind === "answered" && placementOf(order) === "unknown" && isCut !== true;
  // Where it finds other orders, an application has not kept one that it does not find.
  if (isUnknown && isMapRight)
    return { claim: "failed", said: `placing the order was answered ${reply.status}, and ${asked}`, notFound: asked };
  return { claim: "not asked", said: `${asked}${explainUnknown(order, isMapRight)}`, notFound: asked };
}

function explainUnknown({ reply, operation }: PlacedOrder, isMapRight: boolean): string {
  if (reply.kind === "silent") return "";
  const answered = `, although placing the order was answered ${reply.status}`;
  if (isMapRight) return `${answered}: other orders are found there, so let the application keep each that it takes`;
  return `${answered}: correct status.request or order.${operation}.id in the app map, or let the application keep the order`;
}
