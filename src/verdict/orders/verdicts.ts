import type { OrderVerdict } from "./oracle.ts";

type DefectiveVerdict = Exclude<OrderVerdict, "right" | "needs a person" | "not assessed">;

const OTHER_DEFECTS = [
  "stops answering",
  "debited wrongly",
  "not refunded",
  "booked wrongly",
  "breaks a rule of callbacks",
] as const;

export type DefectKind = DefectiveVerdict | (typeof OTHER_DEFECTS)[number];

/** The description of a defect for the application's developer, and its repair. */
export interface DefectWords {
  /** What is wrong, as a clause that `when …` can follow. */
  readonly wrong: string;
  readonly repair: string;
  /** A sound application looks like this until it has caught up, which takes long on a busy machine. */
  readonly isOfTime?: true;
}

/** Sorted by the money at risk, most first. */
export const DEFECTS: Readonly<Record<DefectKind, DefectWords>> = {
  "sold twice": {
    wrong: "one order was sold more than once",
    repair:
      "Never send an order again after silence, a timeout or a proxy's response: it may have been accepted. Keep it open until a callback or a person decides. Send it again only after a refusal by the gateway itself.",
  },
  "delivered, but shown failed": {
    wrong: "the order was delivered, but the application shows it as failed",
    repair:
      "Mark an order as failed only after a refusal by the gateway itself or a callback with a result_code other than 200. Keep the first result; leave a later one that contradicts it to a person.",
  },
  "shown paid, never delivered": {
    wrong: "the application shows the order as paid, but nothing was delivered",
    repair:
      "Mark an order as paid only when a callback for its request_id has result_code 200. An acknowledgment means that the order was accepted, not that it was delivered.",
  },
  "debited wrongly": {
    wrong: "the customer was debited the wrong amount",
    repair:
      "Change the order's status and the balance in one transaction that first checks the status (UPDATE … WHERE status = 'pending'), so that a repeated callback or attempt changes nothing.",
    isOfTime: true,
  },
  "not refunded": {
    wrong: "the order failed, and the customer was not refunded",
    repair: "Refund the money exactly once, in the same transaction that marks the order as failed.",
    isOfTime: true,
  },
  "booked wrongly": {
    wrong: "the books do not show what the gateway charged",
    repair: "Book the callback's charge to the cent, once per request_id (use a unique key on request_id).",
    isOfTime: true,
  },
  "shown paid before anyone could know": {
    wrong: "the application shows the order as paid before anyone could know",
    repair:
      "Mark an order as paid only when a callback for its request_id has result_code 200. Until then, keep it open, however long that takes.",
  },
  "stuck although it was told": {
    wrong: "the order stays open, although the application was told its outcome",
    repair:
      "Store every callback before you look for its order, even if its request_id is not known yet or its content type is unusual, and match it once an acknowledgment contains that request_id. A 422 is final.",
    isOfTime: true,
  },
  "waits forever": {
    wrong: "the application waits for the gateway without a timeout",
    repair:
      "Set a timeout for calls to the gateway, 10 to 30 seconds (Node: signal: AbortSignal.timeout(10_000); PHP: CURLOPT_TIMEOUT; Python requests: timeout=10; Java: HttpRequest.timeout), and treat a timeout as an unknown outcome.",
    isOfTime: true,
  },
  "stops answering": {
    wrong: "the application stopped answering",
    repair: "Catch every error in the order and callback handlers; one request must not end the process.",
  },
  "breaks a rule of callbacks": {
    wrong: "the application does not acknowledge a callback as the gateway requires",
    repair: "Store the callback, then answer 200 within 3 seconds, even if it was received before.",
    isOfTime: true,
  },
};

export const DEFECT_KINDS: readonly DefectKind[] = Object.keys(DEFECTS).filter(isDefectKind);

function isDefectKind(key: string): key is DefectKind {
  return Object.hasOwn(DEFECTS, key);
}
