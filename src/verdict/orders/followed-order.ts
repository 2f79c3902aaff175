import { formatKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { type Exchange, type Finding, requestExchanges } from "../checks/finding.ts";
import type { BookedCharge, Claimed, PlacedOrder, Shown } from "../application/application.ts";
import { isDefect, judgeOrder, type OrderVerdict } from "./oracle.ts";
import { describeDebit, possibleDebits } from "./possible-debits.ts";
import { type OrderTruth } from "./order-truth.ts";
import { DEFECT_KINDS, type DefectKind } from "./verdicts.ts";

/** Everything known about one order at the end of a run. */
export interface FollowedOrder {
  readonly placed: PlacedOrder;
  readonly truth: OrderTruth;
  readonly claimed: Claimed;
  /** What the customer paid for it, if the map can tell that for each order. */
  readonly debited: Shown<Kes>;
  /** How much a paid order takes from the balance. */
  readonly price: Kes | undefined;
  readonly books: Shown<readonly BookedCharge[]>;
}

/** One defect in one sentence, with the exchanges that prove it. */
export interface SeenDefect {
  readonly kind: DefectKind;
  readonly seen: string;
  readonly exchanges: readonly Exchange[];
  /** Consequences, which are not separate defects. */
  readonly follows: readonly string[];
}

export interface JudgedOrder {
  readonly verdict: OrderVerdict | "defect";
  readonly defect?: SeenDefect;
  /** Why it was not assessed, or what a person has to check. */
  readonly remark?: string;
}

interface Journaled {
  readonly events: readonly AccountEvent[];
  readonly findings: readonly Finding[];
}

/** Judges one order. If several things are wrong, the one with the most money at risk is the defect and the others follow from it. */
export function judgeFollowed(order: FollowedOrder, journal: Journaled): JudgedOrder {
  const verdict = verdictOf(order);
  const seen = [
    ...seenInVerdict(order, verdict),
    ...seenInBalance(order),
    ...seenInBooks(order, journal.events),
    ...seenInFindings(order, journal.findings),
  ];
  const [first, ...others] = seen.toSorted(
    (one, other) => DEFECT_KINDS.indexOf(one.kind) - DEFECT_KINDS.indexOf(other.kind),
  );
  if (first !== undefined)
    return { verdict: "defect", defect: { ...first, follows: others.map((other) => other.seen) } };
  if (verdict === "not assessed") return { verdict, remark: order.claimed.said };
  return verdict === "needs a person" ? { verdict, remark: describePerson(order) } : { verdict };
}

function verdictOf({ truth, claimed }: FollowedOrder): OrderVerdict {
  if (truth.delivered <= 1 && truth.waitsForever) return "waits forever";
  return judgeOrder({
    asked: 1,
    delivered: truth.delivered,
    neverSettles: truth.neverSettles,
    couldKnow: truth.couldKnow,
    claim: claimed.claim,
  });
}

function seenInVerdict(order: FollowedOrder, verdict: OrderVerdict): SeenDefect[] {
  const { claimed, truth } = order;
  if (claimed.claim === "no answer" && claimed.isEnded === true) return [seen(order, "stops answering", claimed.said)];
  if (!isDefect(verdict)) return [];
  return DEFECT_KINDS.flatMap((kind) => (kind === verdict ? [seen(order, kind, describeTruth(truth, claimed))] : []));
}

function describeTruth({ requests, accepted, delivered }: OrderTruth, { claim, said }: Claimed): string {
  const did = `${times(requests.length, "request")}, ${accepted} accepted, ${delivered} delivered`;
  return claim === "not asked" ? did : `${did}; the application says ${JSON.stringify(said)}`;
}

/** Checks what a paid, failed or open order took from the customer. */
function seenInBalance(order: FollowedOrder): SeenDefect[] {
  const { debited, price, claimed } = order;
  const isFailed = claimed.claim === "failed";
  if ("missing" in debited || price === NO_MONEY || (price === undefined && !isFailed)) return [];
  const { value } = debited;
  if (possibleDebits([{ price: price ?? NO_MONEY, claim: claimed.claim }]).includes(value)) return [];
  const kind = isFailed && value > 0 ? "not refunded" : "debited wrongly";
  return [seen(order, kind, describeBalance(value, order))];
}

function describeBalance(value: Kes, { price, claimed: { claim } }: FollowedOrder): string {
  const cost = price === undefined ? "" : ` of KES ${formatKes(price)}`;
  const shown = claim === "failed" || claim === "paid" ? `shown as ${claim}` : "still open";
  return `the customer was ${describeDebit(value)} for an order${cost} that is ${shown}`;
}

/** Checks that each charge was booked once, to the cent. */
function seenInBooks(order: FollowedOrder, events: readonly AccountEvent[]): SeenDefect[] {
  const { books, truth, claimed } = order;
  if ("missing" in books) return [];
  const ids = new Set(truth.requests.map(({ requestId }) => requestId));
  const charged = events.flatMap((event) => (event.kind === "settled" && ids.has(event.requestId) ? [event] : []));
  return charged.flatMap(({ requestId, charge, outcome }) => {
    const entries = books.value.filter((entry) => entry.requestId === requestId);
    const problem = describeEntries(
      entries,
      outcome === "succeeded" ? charge : NO_MONEY,
      claimed.claim === "paid" && outcome === "succeeded",
    );
    return problem === undefined ? [] : [seen(order, "booked wrongly", problem)];
  });
}

function describeEntries(entries: readonly BookedCharge[], charge: Kes, isWanted: boolean): string | undefined {
  const [first, second] = entries;
  if (first === undefined)
    return isWanted ? `the books have no charge for it; the gateway charged KES ${formatKes(charge)}` : undefined;
  if (second !== undefined) return `the books have its charge ${entries.length} times`;
  if (first.amount === undefined || first.amount === charge) return undefined;
  return `the books say KES ${formatKes(first.amount)}; the gateway charged KES ${formatKes(charge)}`;
}

/** Rules of the gateway's document that an order's outcome cannot show. */
const RULES: ReadonlySet<string> = new Set(["callback-not-acknowledged", "callback-redirected"]);

function seenInFindings(order: FollowedOrder, findings: readonly Finding[]): SeenDefect[] {
  const own = new Set(order.truth.callbacks.map(({ requestId }) => requestId));
  return findings
    .filter(({ id, exchanges }) => RULES.has(id) && exchanges.some(({ requestId }) => own.has(requestId)))
    .map(({ seen: words, exchanges }) => ({ kind: "breaks a rule of callbacks", seen: words, exchanges, follows: [] }));
}

function describePerson({ truth: { accepted, delivered } }: FollowedOrder): string {
  return `held open, which is right: the application could not know (${accepted} accepted, ${delivered} delivered)`;
}

function seen({ truth }: FollowedOrder, kind: DefectKind, words: string): SeenDefect {
  const requests = requestExchanges(truth.requests.map(({ requestId }) => requestId));
  const callbacks = truth.callbacks.map(({ requestId, attempt }): Exchange => ({
    kind: "callback",
    requestId,
    attempt,
  }));
  return { kind, seen: words, exchanges: [...requests, ...callbacks], follows: [] };
}

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
