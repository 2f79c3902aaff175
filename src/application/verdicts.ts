import type { OrderVerdict } from "./oracle.ts";

type DefectiveVerdict = Exclude<OrderVerdict, "right" | "needs a person" | "not assessed">;

const OTHER_DEFECTS = ["stops answering", "debited wrongly", "not refunded", "booked wrongly", "breaks a rule of callbacks"] as const;

export type DefectKind = DefectiveVerdict | (typeof OTHER_DEFECTS)[number];

/** What a defect means for whoever has it, and how to mend it. */
export interface DefectWords {
  /** What is wrong, as a clause that `when …` follows. */
  readonly wrong: string;
  readonly repair: string;
}

/** The most money at risk first. */
export const DEFECTS: Readonly<Record<DefectKind, DefectWords>> = {
  "sold twice": {
    wrong: "one order was sold more than once",
    repair:
      "Never send an order again after silence, a timeout or a proxy's answer: it may have been accepted. Keep it open until a callback or a person decides; send again only after a refusal by the gateway itself.",
  },
  "delivered, but shown failed": {
    wrong: "the order was delivered, but the application shows it as failed",
    repair:
      "Call an order failed only after a refusal by the gateway itself or a callback with another result than 200. Keep the first result; a later one that says the opposite is for a person.",
  },
  "shown paid, never delivered": {
    wrong: "the application shows the order as paid, but nothing was delivered",
    repair:
      "Call an order paid only when a callback for its request_id has result_code 200. An acknowledgment says that the order was accepted, not that it was delivered.",
  },
  "debited wrongly": {
    wrong: "the customer was debited a wrong amount",
    repair:
      "Change the order's status and the balance in one transaction that first checks the status (UPDATE … WHERE status = 'pending'), so that a repeated callback or a repeated try changes nothing.",
  },
  "not refunded": {
    wrong: "the order failed, and the customer did not get back what was paid",
    repair: "Give the money back in the same transaction that marks the order as failed, exactly once.",
  },
  "booked wrongly": {
    wrong: "the books do not show what the gateway charged",
    repair: "Book the charge of the callback, to the cent, once for each request_id (a unique key on request_id).",
  },
  "shown paid before anyone could know": {
    wrong: "the application shows the order as paid before anyone could know",
    repair:
      "Call an order paid only when a callback for its request_id has result_code 200. Until then it is open, however long that takes.",
  },
  "stuck although it was told": {
    wrong: "the order stays open, although the application was told its outcome",
    repair:
      "Store every callback before you look for its order, also one whose request_id is not known yet or whose content type is unusual, and match it once the acknowledgment names it. A 422 is final.",
  },
  "waits forever": {
    wrong: "the application waits for an answer of the gateway without a limit",
    repair:
      "Set a timeout for calls to the gateway, 10 to 30 seconds (Node: signal: AbortSignal.timeout(10_000); PHP: CURLOPT_TIMEOUT; Python requests: timeout=10; Java: HttpRequest.timeout), and take its end for an unknown outcome.",
  },
  "stops answering": {
    wrong: "the application does not answer any more",
    repair: "Catch every error in the handlers of orders and callbacks; one request must not end the process.",
  },
  "breaks a rule of callbacks": {
    wrong: "the application does not acknowledge a callback as the gateway asks",
    repair: "Store the callback, then answer 200 within 3 seconds, also to one that was seen before.",
  },
};

export const DEFECT_KINDS: readonly DefectKind[] = Object.keys(DEFECTS).filter(isDefectKind);

function isDefectKind(key: string): key is DefectKind {
  return Object.hasOwn(DEFECTS, key);
}
