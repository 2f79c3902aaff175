import { addKes, type Kes, NO_MONEY, showKes, subtractKes } from "../../gateway/domain/kes.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { lifeOf, type Verdict, type VerdictKind } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { ORDER_CHECKS, type OrderCheckId } from "./order-checks.ts";

/** Returns what is told of an order that failed a check. */
export function problem(order: OrderEvidence, id: OrderCheckId, seen = describeGateway(order)): Verdict {
  const { severity, title, repair } = ORDER_CHECKS[id];
  return { ...verdict(order, severity, seen), life: lifeOf(order.truth.milestones), id, title, repair };
}

export function verdict(order: OrderEvidence, is: VerdictKind, seen = describeGateway(order)): Verdict {
  const [truths, exchanges] = [truthsOf(order), exchangesOf(order)];
  return { is, id: "order", title: "places an order", seen, truths, count: 1, exchanges, follows: [] };
}

/** Describes what the gateway did, and what the customer was debited. */
export function describeGateway({ truth: { asked, accepted, delivered, reversed }, debited }: OrderEvidence): string {
  const taken = reversed === 0 ? "" : ` (${reversed} taken back)`;
  const paid = "value" in debited ? `the customer was ${describeDebit(debited.value)}; ` : "";
  return `${paid}the gateway got ${counted(asked, "request")}, accepted ${accepted} and delivered ${delivered.length}${taken}`;
}

/** Returns the two truths: what the application says of an order, and what the gateway did. */
function truthsOf(order: OrderEvidence): Verdict["truths"] {
  const { delivered, charged } = order.truth;
  const { claim, said } = order.claimed;
  return {
    says: claim === "not asked" ? "(not asked)" : said,
    got: describeReceived(order),
    paid: delivered.length === 0 ? "nothing" : `KES ${showKes(charged)}`,
  };
}

/** Describes what was delivered: "KES 100.00", "the SMS 2 times", "nothing; 254712000002 got KES 100.00". */
function describeReceived({ truth, placed, difference, requests = 1 }: OrderEvidence): string {
  const { delivered, reversed, isSoldTwice } = truth;
  const [first] = delivered;
  if (first === undefined) return reversed > 0 ? "what was ordered, until it was reversed" : "nothing";
  const sum = delivered.reduce((kes, got) => ("amount" in got ? addKes(kes, got.amount) : kes), NO_MONEY);
  const text = difference?.of === "text" ? ` ${difference.delivered}` : "";
  const isParts = requests > 1 && !isSoldTwice;
  const what =
    placed.operation === "airtime"
      ? `KES ${showKes(sum)}`
      : `the SMS${text}${describeTimes(delivered, placed, isParts)}`;
  return difference?.of === "number" ? `nothing; ${first.phoneNumber} got ${what}` : what;
}

function describeTimes(
  delivered: OrderEvidence["truth"]["delivered"],
  { recipients }: OrderEvidence["placed"],
  isParts: boolean,
): string {
  const { length } = delivered;
  const inParts = isParts ? ` in ${counted(length, "part")}` : ` ${length} times`;
  const times = length > 1 ? inParts : "";
  if (recipients === undefined) return times;
  const reached = new Set(delivered.map(({ phoneNumber }) => phoneNumber)).size;
  return `${reached === delivered.length ? "" : times} at ${reached} of ${1 + recipients.length} recipients`;
}

/** "debited KES 105.00", or "credited" if the customer has more than before. */
export function describeDebit(debit: Kes): string {
  return debit < 0 ? `credited KES ${showKes(subtractKes(NO_MONEY, debit))}` : `debited KES ${showKes(debit)}`;
}

export function exchangesOf({ truth }: OrderEvidence): Verdict["exchanges"] {
  return [
    ...truth.requests.map(({ requestId }) => ({ kind: "request" as const, request_id: requestId })),
    ...truth.callbacks.map(({ requestId, attempt }) => ({ kind: "callback" as const, request_id: requestId, attempt })),
  ];
}
