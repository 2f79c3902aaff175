import { SET_A_TIMEOUT } from "../checks/connections.ts";

/** The description of one check of orders, for the application's developer. */
export interface OrderCheck {
  readonly severity: "defect" | "risk";
  /** A clause that follows "the application". */
  readonly title: string;
  readonly repair: string;
}

/** The checks of orders that an application places, most money at risk first. */
export const ORDER_CHECKS = {
  "sold-twice": defect(
    "sends the order again that the gateway had accepted, and it is sold more than once",
    "Never send an order again after silence, a timeout or a proxy's response: it may have been accepted. Keep it open until a callback or a person decides. Send it again only after a refusal by the gateway itself.",
  ),
  "delivered-something-else": defect(
    "has something else delivered than the customer ordered",
    'Send the number, the amount and the text of the order itself, unchanged: the amount in shillings, as text like "100", and the number as 254 and nine digits. If a difference is meant, say so under delivers in the app map.',
  ),
  "typed-number-passed-on": defect(
    "takes an order with a number as customers type it, and passes on what the gateway refuses",
    'Convert each number to 254 and nine digits ("0712 000 001" and "+254712000001" to "254712000001") before you take the order, or refuse the order.',
  ),
  "delivered-shown-failed": defect(
    "shows an order as failed that was delivered",
    "Mark an order as failed only after a refusal by the gateway itself or a callback with a result_code other than 200. Keep the first result; leave a later one that contradicts it to a person.",
  ),
  "paid-never-delivered": defect(
    "shows an order as paid that was never delivered",
    "Mark an order as paid only when a callback for its request_id has result_code 200. An acknowledgment means that the order was accepted, not that it was delivered.",
  ),
  "believes-strangers": defect(
    "believes a callback that came without the secret of its callback URL",
    "Before you read a callback, compare the secret in its URL in constant time (crypto.timingSafeEqual, hash_equals, hmac.compare_digest), and answer 403 where it is missing or wrong.",
  ),
  "mixed-up-orders": defect(
    "is right about each order alone, and wrong about one beside others",
    "Find the order of each callback by the request_id of its acknowledgment and by nothing else: neither the newest open order, nor the one with the same number or amount. Keep a callback whose request_id is not known yet until an acknowledgment names it.",
  ),
  "delivered-given-back": defect(
    "gives the customer's money back, although the order was delivered",
    "After silence, a timeout or a proxy's response, keep the customer's money with the open order. Give it back only after a refusal by the gateway itself or a callback with a result_code other than 200.",
  ),
  "balance-race": defect(
    "ends with a wrong balance after several orders at once, and with the right one after each alone",
    "Change the balance in one statement (UPDATE … SET balance = balance - 100), or lock its row first. Never write back a balance that was read before a call to the gateway.",
  ),
  "wrong-debit": defect(
    "debits the customer the wrong amount",
    "Change the order's status and the balance in one transaction that first checks the status (UPDATE … WHERE status = 'pending'), so that a repeated callback or attempt changes nothing.",
  ),
  "not-refunded": defect(
    "keeps the customer's money for an order that failed",
    "Refund the money exactly once, in the same transaction that marks the order as failed.",
  ),
  "wrong-books": defect(
    "books something else than the gateway charged",
    "Book the callback's charge to the cent, once per request_id (use a unique key on request_id).",
  ),
  "paid-too-early": defect(
    "shows an order as paid before anyone could know",
    "Mark an order as paid only when a callback for its request_id has result_code 200. Until then, keep it open, however long that takes.",
  ),
  "lost-by-restart": defect(
    "does not know an order any more that it knew before",
    "Store each order in a database, with its request_id and its state, before you answer the customer. Nothing that a restart forgets may decide what became of it.",
  ),
  "taken-not-sent": defect(
    "takes an order and never sends it",
    "Whatever ends a worker, a restart included, must not end the orders that it was given: keep each order in a database before it is answered, and let a worker that starts, or a job, send what was not sent yet.",
  ),
  "outcome-lost": defect(
    "keeps an order open, although a callback told its outcome",
    "Store every callback before you look for its order, even if its request_id is not known yet or its content type is unusual, and match it once an acknowledgment contains that request_id. If the word that you show means that a person looks at an order that failed, list it under status.review in the app map.",
  ),
  "callback-not-kept": defect(
    "keeps an order open after a restart, although it had acknowledged the callback with its outcome",
    "Keep the callback before you answer 200: write it to the database, in the request itself, and answer only once that is committed. Work on it afterwards.",
  ),
  "waits-forever": defect("waits for the gateway without a timeout", SET_A_TIMEOUT),
  "no-answer": defect(
    "does not answer when it is asked about an order",
    "Find out what it waits for: give each call to the gateway a timeout of 10 to 30 seconds, and hold neither a lock nor the only worker meanwhile.",
  ),
  "stops-answering": defect(
    "stops answering",
    "Catch every error in the order and callback handlers; one request must not end the process.",
  ),
  "tried-forever": defect(
    "sends an order again and again that the gateway refuses, and was still doing so at the end",
    "Give up after a few tries: after a 401 or a 402, no retry of the order helps. Keep it as not sent and alert a person. Continue once account-details answers 200 and shows enough balance.",
  ),
  "refused-left-open": risk(
    "leaves an order open that the gateway refused",
    "The gateway refused it, so no callback will come: send it again (never after a 422), or refund the customer and show it as failed. Decide by status_code, not by request_id: under the profiles document and sdk, a refusal has one as well. If the word that you show means that a person looks at it, list it under status.review in the app map.",
  ),
  "held-after-failure": risk(
    "was told that the order failed, and still holds the customer's money",
    "Decide who looks at such orders and how soon: the gateway has said that it failed, so the money can be given back at once.",
  ),
  "ordered-twice": risk(
    "sells an order twice that was placed twice with one reference",
    "Give each order a reference before it is sent (a unique key on the customer's reference), and answer a second request with the same one by the first order.",
  ),
};

export type OrderCheckId = keyof typeof ORDER_CHECKS;

/** The checks of several orders, each of which is right alone. */
export const JOINT_CHECK_IDS: readonly string[] = ["balance-race", "mixed-up-orders"] satisfies OrderCheckId[];

export const ORDER_CHECK_IDS: readonly string[] = Object.keys(ORDER_CHECKS);

/** Returns the place of a check, most money at risk first. Other checks of traffic come last. */
export function moneyRank(id: string): number {
  const known = ORDER_CHECK_IDS.indexOf(id);
  return known === -1 ? ORDER_CHECK_IDS.length : known;
}

/** A sound application looks like these until it has caught up, which takes long on a busy machine. */
const TIME_DEPENDENT: readonly string[] = [
  "balance-race",
  "wrong-debit",
  "not-refunded",
  "wrong-books",
  "taken-not-sent",
  "outcome-lost",
  "callback-not-kept",
  "waits-forever",
  "no-answer",
  "callback-answered-late",
  "callback-not-acknowledged",
  "callback-redirected",
  "callback-unreachable",
];

/** Returns whether a busy machine may look like this problem. */
export function isTimeDependent(id: string): boolean {
  return TIME_DEPENDENT.includes(id);
}

/** What an order or its callback looks like that waits for a free worker, behind others. */
const QUEUE_DEPENDENT: readonly string[] = [
  "waits-forever",
  "no-answer",
  "stops-answering",
  "callback-answered-late",
  "callback-not-acknowledged",
  "callback-unreachable",
];

export function isQueueDependent(id: string): boolean {
  return QUEUE_DEPENDENT.includes(id);
}

function defect(title: string, repair: string): OrderCheck {
  return { severity: "defect", title, repair };
}

function risk(title: string, repair: string): OrderCheck {
  return { severity: "risk", title, repair };
}
