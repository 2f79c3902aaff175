import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { receiverStatus } from "../../gateway/account/readings/callback.ts";
import { isUnread } from "../../gateway/account/readings/requests-of-orders.ts";
import { placementOf } from "../application/placed-order.ts";
import type { Finding } from "../checks/finding.ts";
import { followsFrom, type Verdict } from "../verdict.ts";
import { MISLED_ID } from "../verdict-ids.ts";
import { moneyRank } from "./order-checks.ts";
import { describeDifference } from "./delivery.ts";
import { judgeBooks } from "./judge-books.ts";
import { judgeBalance, mayBeRefunded } from "./judge-money.ts";
import { describeFalseStatement, type OrderTruth } from "./order-truth.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeGateway, problem, verdict } from "./order-verdict.ts";
import { findingsOf, judgePart } from "./several-requests.ts";
import { judgeUnsent } from "./unsent.ts";

/**
 * Judges one order. The first verdict is that of the order. If several things are wrong, it is the one with the most money at risk, and the
 * others follow from it; lesser problems of the order's traffic come after it.
 */
export function judgeOrder(order: OrderEvidence, events: readonly AccountEvent[]): Verdict[] {
  if (order.unsaid !== undefined) return [verdict(order, "not assessed", order.unsaid)];
  // The application's own rate limit hides what it does, but not what the gateway sold.
  const isLimited = whatIsLimited(order) !== undefined;
  const own = findingsOf(order)
    .filter(({ id }) => !isLimited || id === "callback-rate-limited")
    .map(verdictOfFinding);
  const plain = judgeOutcome(order);
  const money = isLimited ? [] : [...judgeBalance(order), ...judgeBooks(order, events)];
  const unread = money.filter(({ is }) => is === "not assessed");
  const defects = [
    ...[plain].filter(({ is }) => is === "defect"),
    ...judgeDelivery(order),
    ...judgeTypedNumber(order),
    ...judgeUnsent(order, events),
    ...money.filter(({ is }) => is === "defect"),
  ];
  const known = new Set(defects.map(({ id }) => id));
  const byMoney = defects.toSorted((one, other) => moneyRank(one.id) - moneyRank(other.id));
  const all = [
    ...byMoney.map((defect) => withTraffic(defect, own)),
    ...own.filter(({ is, id }) => is === "defect" && !known.has(id)),
  ];
  const lesser = own.filter(({ is }) => is !== "defect");
  const [first = plain, ...others] = all;
  // What loses money with an order that ended wrong, or that the trial placed twice, follows from that. What it costs does not.
  const isCause = first.is === "defect" ? known.has(first.id) : first.id === "ordered-twice";
  const [following, apart] = [lesser.filter(({ is }) => is === "risk"), lesser.filter(({ is }) => is !== "risk")];
  if (isCause) return [{ ...first, follows: followsFrom([...others, ...following]) }, ...apart, ...unread];
  // A defect of the traffic says nothing of what became of the order.
  return [...all, plain, ...lesser, ...unread];
}

/** The traffic may show the same defect, and then says when and why. */
function withTraffic(defect: Verdict, own: readonly Verdict[]): Verdict {
  const shown = own.find(({ id }) => id === defect.id);
  return shown === undefined ? defect : { ...defect, seen: `${defect.seen}; ${shown.seen.replace(/\.$/, "")}` };
}

/** Compares what the gateway did for one order with what the application says, and what it could know. */
function judgeOutcome(order: OrderEvidence): Verdict {
  const { truth, claimed } = order;
  if (claimed.claim === "no answer" && claimed.isEnded === true) return problem(order, "stops-answering", claimed.said);
  if (truth.isSoldTwice && describeFalseStatement(truth) === undefined) return problem(order, "sold-twice");
  const limited = whatIsLimited(order);
  if (limited !== undefined)
    return verdict(order, "not assessed", `the application answered ${limited} with 429; raise that limit for tests`);
  if (truth.waitsForever) return problem(order, "waits-forever");
  return claimed.claim === "no answer" ? judgeSilence(order) : judgeAnswer(order);
}

/** An application that waits for the outcome of an order before it answers is silent for as long as it likes. */
function judgeSilence(order: OrderEvidence): Verdict {
  const { truth, claimed, placed } = order;
  const isAwaited = truth.asked > 1 || (truth.asked === 1 && !truth.isNotified);
  if (placed.reply.kind === "answered" || !isAwaited) return problem(order, "no-answer", claimed.said);
  return verdict(
    order,
    "not assessed",
    `${claimed.said}; with {reference} under status, the app map finds it without one`,
  );
}

/** Judges an order of which the application says something, or which cannot be asked about. */
function judgeAnswer(order: OrderEvidence): Verdict {
  const { truth, claimed } = order;
  const lie = describeFalseStatement(truth);
  if (truth.isSoldAgain && order.isOneReference === true && lie === undefined) return problem(order, "ordered-twice");
  const isFinal = claimed.claim === "paid" || claimed.claim === "failed";
  if (order.isTriedForever === true && !isFinal) return problem(order, "tried-forever");
  if (claimed.claim === "not asked") return verdict(order, "not assessed", claimed.said);
  if (claimed.claim === "gone") return problem(order, "lost-by-restart");
  return lie === undefined ? judgeClaim(order) : { ...verdict(order, "open", lie), id: MISLED_ID };
}

/** Compares what the application says with what the gateway did, if that was at most one order. */
function judgeClaim(order: OrderEvidence): Verdict {
  const { truth, claimed } = order;
  // Whether a success that was taken back still counts is for a person to say; a failure is what the gateway said last.
  if (isReversed(truth)) return verdict(order, claimed.claim === "failed" ? "right" : "open");
  if (order.part !== undefined) return judgePart(order, order.part);
  if (claimed.claim === "open") return judgeOpen(order);
  if ((claimed.claim === "paid") === truth.delivered.length > 0) return verdict(order, "right");
  if (claimed.claim === "failed") return problem(order, "delivered-shown-failed");
  return problem(order, truth.neverSettles ? "paid-too-early" : "paid-never-delivered");
}

function judgeOpen(order: OrderEvidence): Verdict {
  const { truth, isPaidFirst, isProvenTold } = order;
  if (isPaidFirst === true && mayBeRefunded(order)) return problem(order, "delivered-given-back");
  if (!truth.isNotified) return verdict(order, "open");
  if (truth.accepted === 0)
    return { ...problem(order, "refused-left-open", describeOpen(order)), is: isAbandoned(order) ? "defect" : "risk" };
  if (truth.delivered.length === 0 && isProvenTold === true) return problem(order, "held-after-failure");
  // Without a restart, a plain order is right: it was kept too late.
  return problem(
    order,
    order.wasToldBeforeRestart === true ? "callback-not-kept" : "outcome-lost",
    describeOpen(order),
  );
}

/** Returns whether the application holds the customer's money for an order that it does not try again, and that nobody looks at. */
function isAbandoned({ truth, debited, isProvenTold, mayRetry = true }: OrderEvidence): boolean {
  const isDefinite = truth.readings.at(-1)?.answer.says === "refused";
  return !mayRetry && isDefinite && isProvenTold !== true && "value" in debited && debited.value > 0;
}

/** Says also by what word an order is open, if that is why it is taken for one of which the application does not know. */
function describeOpen(order: OrderEvidence): string {
  const { claimed, isProvenTold, truth } = order;
  const isDecisive = isProvenTold === false && truth.delivered.length === 0;
  const word = `orders about which it was told nothing are shown as ${JSON.stringify(claimed.said)}, too`;
  return isDecisive ? `${describeGateway(order)}; ${word}` : describeGateway(order);
}

function isReversed({ delivered, reversed }: OrderTruth): boolean {
  return delivered.length === 0 && reversed > 0;
}

/** Returns what the application answered with Too Many Requests, which is no defect. */
function whatIsLimited({ truth, claimed }: OrderEvidence): string | undefined {
  if (truth.callbacks.some((attempted) => receiverStatus(attempted) === 429)) return "a callback";
  return claimed.isLimited === true ? "a question about the order" : undefined;
}

/** Checks that a number arrives in the gateway's form, if the application took an order with one in another. */
function judgeTypedNumber(order: OrderEvidence): Verdict[] {
  const { typedNumber } = order.placed;
  // Whatever refuses an order that could be read, such as a scenario, has nothing against the form of its number.
  const isRefused = order.truth.requests.some(
    (event) => isUnread(event) && "validationErrors" in event && event.validationErrors?.["phone_number"] !== undefined,
  );
  if (typedNumber === undefined || placementOf(order.placed) !== "taken" || !isRefused) return [];
  const seen = `the gateway refused the number of an order for ${typedNumber} with 422; ${describeGateway(order)}`;
  return [problem(order, "typed-number-passed-on", seen)];
}

/** Checks that what was delivered is what was ordered. */
function judgeDelivery(order: OrderEvidence): Verdict[] {
  const { difference } = order;
  return difference === undefined
    ? []
    : [problem(order, "delivered-something-else", `${describeDifference(difference)}; ${describeGateway(order)}`)];
}

export function verdictOfFinding(finding: Finding): Verdict {
  const { id, severity, title, seen, why, repair, assumes, count, exchanges } = finding;
  const proof = exchanges.map(({ requestId, ...same }) => ({ ...same, request_id: requestId }));
  return { is: severity, id, title, seen, why, repair, assumes, count, exchanges: proof, follows: [] };
}
