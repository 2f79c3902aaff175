import { foldJournal } from "../../gateway/account/apply.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { isBeginning } from "../../gateway/account/event-guards.ts";
import {
  isUnread,
  numbersOf,
  ordersSame,
  requestsOfBackend,
} from "../../gateway/account/readings/requests-of-orders.ts";
import { readRequests } from "../../gateway/account/readings/requests.ts";
import { NO_MONEY } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { AppMap } from "../application/app-map.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { newOrder, typeNumber } from "../application/new-order.ts";
import { explainNoRequest } from "../application/no-request.ts";
import { findInJournal } from "../checks/findings.ts";
import { explainBooks, explainOtherPrice, explainUnreadMoney } from "../orders/unread-money.ts";
import { explainAmbiguous } from "../orders/delivery.ts";
import { judgeSurplus, lacksCharge } from "../orders/judge-books.ts";
import { judgeOrder, verdictOfFinding } from "../orders/judge-order.ts";
import { judgeBalance, judgeShared, mayBeRefunded } from "../orders/judge-money.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { type JudgedOrder, judgeLastLook } from "../orders/last-look.ts";
import { findingsOf, isBetweenOrders } from "../orders/several-requests.ts";
import { isTimeDependent } from "../orders/order-checks.ts";
import { orderlessTrial, type TrialReport, untriedTrial } from "../report/report.ts";
import { type Verdict, worstFirst, worstOf } from "../verdict.ts";
import { readReportTimeline } from "../report/timeline.ts";
import { AccountTakenOver, NoVerdict, type TrialEnvironment } from "../trial/environment.ts";
import { type Evidence, type Trial, TrialRunner } from "../trial/run-trial.ts";
import { mostAtOnce, type TrialStep } from "../trial/steps.ts";
import { type BorrowedAccount, withAccount } from "../trial/with-account.ts";
import { nthPhoneNumber, type OrderStep } from "./order-step.ts";
import type { Rehearsal } from "./rehearsal-schema.ts";

interface RehearseOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly scenarios: readonly Scenario[];
}

/** Runs a rehearsal on an account. Throws what `withAccount` does, and the reason of an interruption before it has begun. */
export function rehearse(rehearsal: Rehearsal, options: RehearseOptions): Promise<TrialReport> {
  return withAccount(rehearsal.name, options.environment, async (borrowed) => {
    try {
      return await perform(rehearsal, { ...options, ...borrowed });
    } catch (error) {
      const known = borrowed.environment.interruption.aborted
        ? await reportInterrupted(rehearsal, borrowed)
        : undefined;
      if (known === undefined) throw error;
      return known;
    }
  });
}

/** Reports the traffic of a rehearsal that was interrupted, and what it proves by itself; undefined before it has begun. */
async function reportInterrupted(rehearsal: Rehearsal, borrowed: BorrowedAccount): Promise<TrialReport | undefined> {
  const { account, report } = borrowed.environment;
  const kept = await account.journal();
  if (foldJournal(kept.events)?.rehearsal !== borrowed.runId) return undefined;
  const { name: id, description: faults = id } = rehearsal;
  const untried = untriedTrial({ id, faults, places: [] }, "it was interrupted");
  const verdicts = [...untried.verdicts, ...findInJournal(kept, { report }).map(verdictOfFinding)];
  const exchanges = readReportTimeline(kept);
  return { ...untried, verdict: worstOf(verdicts), verdicts: verdicts.toSorted(worstFirst), exchanges };
}

type Performance = RehearseOptions & BorrowedAccount;

/** Longer than most jobs take that an order's result starts. */
const USUAL_WATCH: Millis = SECOND;

/** Returns for how long (wall time) orders are watched after their end, and then asked about for the last time. */
export function watchedFor({ settle = USUAL_WATCH }: AppMap): Millis {
  return settle;
}

/** Runs a rehearsal on an account that was borrowed for it. */
export async function perform(rehearsal: Rehearsal, options: Performance): Promise<TrialReport> {
  const { application, environment, scenarios, before, runId } = options;
  const planned = { id: rehearsal.name, faults: rehearsal.description ?? rehearsal.name, places: [] };
  const steps = stepsOf(rehearsal, options);
  const tooMany = explainTooMany(steps, application.map);
  if (tooMany !== undefined) return orderlessTrial(planned, tooMany);
  const runner = new TrialRunner({ application, environment, before });
  if (needsPrice(rehearsal, application)) await placePlain("sms", runner, options);
  const first = await runner.run({
    name: runId,
    clock: rehearsal.clock,
    scenarios,
    steps,
    seed: environment.seed,
    isPatient: true,
  });
  requireOwn(first, options);
  if (first.orders.length === 0 && requestsOfBackend(first.kept.events).length === 0)
    return orderlessTrial(planned, explainNoOrder(rehearsal));
  requireRequests(first, options);
  requireSaid(first);
  const last = await first.later(watchedFor(application.map));
  const { requests } = requireOwn(last, options);
  requireToldApart(last);
  const compared = await compareWithPlain(last, runner, options);
  const verdicts = judge(compared, first);
  const { kept, durationMillis } = last;
  const isComplete = kept.events.findLast(isBeginning)?.kind === "opened";
  return {
    ...planned,
    verdict: worstOf(verdicts),
    verdicts: verdicts.toSorted(worstFirst),
    exchanges: readReportTimeline(kept),
    duration_ms: Math.round(durationMillis),
    evicted: isComplete ? undefined : requests - readRequests(kept).length,
  };
}

/** Returns whether a plain order must tell what an SMS costs before one is judged, because the map does not. */
function needsPrice({ steps }: Rehearsal, application: Application): boolean {
  const isOrdered = steps.some(({ order = [] }) => order.some(({ operation }) => operation === "sms"));
  const isSold = application.map.balance !== undefined && application.operations.includes("sms");
  const any = { operation: "sms", amount: 0, charged: NO_MONEY, parts: 1 } as const;
  return isOrdered && isSold && application.priceOf(any) === undefined;
}

/** Throws `AccountTakenOver` if the journal is no longer that of the rehearsal. */
function requireOwn({ kept }: Evidence, { runId }: Performance): AccountState {
  const state = foldJournal(kept.events);
  if (state?.rehearsal !== runId) throw new AccountTakenOver(state?.rehearsal);
  return state;
}

/** Explains that the application takes fewer orders at once than a step places. */
function explainTooMany(steps: readonly TrialStep[], { at_once = Infinity }: AppMap): string | undefined {
  const needed = Math.max(0, ...steps.map((step) => mostAtOnce([step])));
  return needed > at_once ? `it needs ${needed} at once, and at_once in the app map is ${at_once}` : undefined;
}

/** Explains why no order was placed: the application sells none of them, or there are none. */
function explainNoOrder({ steps }: Rehearsal): string {
  const operations = new Set(steps.flatMap(({ order = [] }) => order.map(({ operation }) => operation)));
  if (operations.size === 0) return "the rehearsal has no step with an order; add one";
  const keys = [...operations].map((operation) => `order.${operation}`).join(" and ");
  return `the app map has no ${keys}; add it if the application sells that`;
}

/** Throws `NoVerdict` if none of the orders reached the gateway, and nothing else explains why. */
function requireRequests({ kept, orders }: Evidence, { application, environment }: Performance): void {
  const [first] = orders;
  const others = requestsOfBackend(kept.events);
  // The scenario may have refused requests before their order was read.
  const isPlayed = others.some((event) => "rules" in event && event.rules !== undefined);
  // An application may refuse a number as it was typed, or the gateway refuse it unread.
  const isUnnamed = orders.every(
    ({ placed, truth }) => placed.typedNumber === undefined && truth.requests.every(isUnread),
  );
  if (first === undefined || !isUnnamed || isPlayed) return;
  throw new NoVerdict(explainNoRequest(first.placed, { application, gateway: environment.gateway, others }));
}

/** Throws `NoVerdict` if an order cannot be judged until the map says more. */
function requireSaid({ orders }: Evidence): void {
  for (const { unsaid } of orders) if (unsaid !== undefined) throw new NoVerdict(unsaid);
}

/** Throws `NoVerdict` if a request may be for either of two orders for one number. */
function requireToldApart({ orders }: Evidence): void {
  const sharing = orders.filter(({ placed }) =>
    orders.some((one) => one.placed.phoneNumber === placed.phoneNumber && one.placed.reference !== placed.reference),
  );
  for (const { placed, truth } of sharing)
    if (truth.requests.some((request) => !isUnread(request) && !ordersSame(request, placed)))
      throw new NoVerdict(
        `Two orders are for ${placed.phoneNumber}, and the application requests something else than they order there, so that nothing tells whose a request is. Give each order a phone number of its own.`,
      );
}

/**
 * Compares with a plain order what it alone can tell: whether something else that was delivered or debited may be meant, whether money that
 * was not shown never is, whether the first balance was an old one, what a part costs, and whether an order without a debit was given back.
 * Throws `NoVerdict` in all but the last two cases.
 */
async function compareWithPlain(evidence: Evidence, runner: TrialRunner, options: Performance): Promise<Evidence> {
  const { map } = options.application;
  const { questions } = runner;
  await tellWhetherBooksEnd(evidence, runner, options);
  const doubtful = evidence.orders.filter((order) => evidence.imbalance !== undefined || isDoubtful(order, map));
  for (const operation of new Set(doubtful.map(({ placed }) => placed.operation))) {
    const plain = await placePlain(operation, runner, options);
    const [order] = plain.orders;
    if (order === undefined) continue;
    const unclear = explainPlain(order, map) ?? (plain.isTooBusy ? undefined : explainOtherPrice(order));
    if (unclear !== undefined) throw new NoVerdict(unclear);
    if (questions.balances.wasFirstOld) throw new NoVerdict(FIRST_WAS_OLD);
  }
  const orders = evidence.orders.map((one) => {
    const { price, unrounded, ...compared } = questions.plain.compare(one.placed, one.truth);
    // The money of other orders was not waited for by a price that is known only now.
    const priced = compared.part && { price, unrounded };
    const mostHeld = one.mostHeld && compared.mostHeld;
    const books = "value" in one.books && questions.books.isWhole ? { ...one.books, endsAt: undefined } : one.books;
    const isPaidFirst = questions.plain.isPaidFirst(one.placed);
    const isProvenTold = questions.words.proveTold(one);
    return { ...one, ...compared, mostHeld, ...priced, books, isPaidFirst, isProvenTold };
  });
  const { total } = evidence;
  const surplus = judgeSurplus(orders, evidence.kept.events);
  if (total === undefined) return { ...evidence, orders, imbalance: surplus };
  const shared = judgeShared(orders, total);
  return { ...evidence, ...shared, imbalance: shared.imbalance ?? surplus };
}

/** Places a plain order after those whose charges are not in the books, if the list may only end before them. Throws `NoVerdict` if it does. */
async function tellWhetherBooksEnd(
  { orders, kept }: Evidence,
  runner: TrialRunner,
  options: Performance,
): Promise<void> {
  const lacking = orders.find((order) => lacksCharge(order, kept.events));
  if (lacking === undefined) return;
  const [plain] = (await placePlain(lacking.placed.operation, runner, { ...options, isContinued: true })).orders;
  const unclear = plain && explainBooks(plain);
  if (unclear !== undefined) throw new NoVerdict(unclear);
}

/** Returns whether a plain order may tell more of this one. */
function isDoubtful(order: OrderEvidence, map: AppMap): boolean {
  const { difference, part, requests = 1, truth, placed } = order;
  // A plain order may take as many.
  const isOfMore = truth.accepted > requests * numbersOf(placed).length;
  if (isOfMore || difference?.of === "amount" || part !== undefined || mayBeRefunded(order)) return true;
  if (isExcused(order, map)) return true;
  const doubt = explainAmbiguous(order, map) ?? explainUnreadMoney(order, map);
  return doubt !== undefined || judgeBalance(order).length > 0;
}

/** Returns whether only what the application shows of an order proves that it was told, which a plain order may refute. */
function isExcused({ claimed, truth, isProvenTold }: OrderEvidence, { status }: AppMap): boolean {
  const isListed = status?.review?.includes(claimed.said) === true;
  return (
    claimed.claim === "open" && truth.isNotified && truth.delivered.length === 0 && isProvenTold === true && !isListed
  );
}

function explainPlain(order: OrderEvidence, map: AppMap): string | undefined {
  const ambiguous = explainAmbiguous(order, map);
  return ambiguous ?? (order.truth.delivered.length > 0 ? explainUnreadMoney(order, map) : undefined);
}

const FIRST_WAS_OLD =
  "Before the first order, the application showed a balance that was no longer so. Rehearse again in a few seconds.";

/** Places a plain order, and learns from it. */
async function placePlain(
  operation: Operation,
  runner: TrialRunner,
  options: Performance & Pick<Trial, "isContinued">,
): Promise<Evidence> {
  const { environment, runId: name, isContinued } = options;
  const steps = stepsOf({ steps: [{ order: [{ operation, count: 1, at_once: false }] }] }, options);
  const orders = steps.flatMap((step) => ("place" in step ? step.place : []));
  const held = orders.map((order) => ({ held: order }));
  const { seed } = environment;
  const clock = { mode: "manual" } as const;
  const trial = { name, clock, scenarios: [], steps: [...steps, ...held], seed, untold: orders[0], isContinued };
  const plain = await runner.run({ ...trial, isPatient: true });
  const [order] = plain.orders;
  if (order?.claimed.claim === "paid" && !order.truth.isSoldTwice) runner.questions.plain.learn(order);
  return plain;
}

function stepsOf({ steps }: Pick<Rehearsal, "steps">, { application, environment }: Performance): TrialStep[] {
  const startedAt = environment.clock.now();
  let draw = 0;
  const ordersOf = (step: OrderStep): ApplicationOrder[] =>
    // What an application does not sell is not rehearsed.
    application.map.order[step.operation] === undefined
      ? []
      : Array.from({ length: step.count }, (_, nth) =>
          orderOf(
            step,
            nth,
            newOrder(step.operation, { seed: environment.seed, startedAt, draw: ++draw, map: application.map }),
          ),
        );
  const carriedOut = steps.flatMap(({ order, advance, top_up, wait }): TrialStep[] => {
    if (order !== undefined) {
      const place = order.flatMap(ordersOf);
      const isAtOnce = order.length > 1 || order.some(({ at_once }) => at_once);
      return place.length === 0 ? [] : [{ place, isAtOnce }, { requested: true }];
    }
    if (advance !== undefined) return [{ advance }];
    if (top_up !== undefined) return [{ topUp: top_up }];
    return wait === undefined ? [] : [{ wait }];
  });
  // One order alone is waited for until nothing happens any more. Of several, each must come before the callback of another.
  if (draw > 1) return carriedOut;
  return carriedOut.slice(0, carriedOut.findLastIndex((step) => !("requested" in step)) + 1);
}

function orderOf(
  { phone_number, typed, amount, message }: OrderStep,
  nth: number,
  order: ApplicationOrder,
): ApplicationOrder {
  const phoneNumber = phone_number === undefined ? order.phoneNumber : nthPhoneNumber(phone_number, nth);
  return {
    ...order,
    phoneNumber,
    amount: amount ?? order.amount,
    message: message ?? order.message,
    ...(typed && { typedNumber: typeNumber(phoneNumber, typed) }),
  };
}

/** Judges every order, their shared balance, and what was noticed besides. What became wrong since the first look says what has changed. */
function judge(last: Evidence, first: Evidence): Verdict[] {
  const { orders, findings, imbalance, isTooBusy, durationMillis } = last;
  const before = judgeEach(first);
  const waited = durationMillis - first.durationMillis;
  const ofOrders = judgeEach(last).flatMap((now, index) => judgeLastLook(before[index] ?? now, now, waited));
  const reported = new Set(ofOrders.flatMap(({ id, follows }) => [id, ...follows.map((verdict) => verdict.id)]));
  // What looks like a repetition may be a part of an order.
  for (const order of orders)
    for (const { id } of order.findings.filter((one) => !findingsOf(order).includes(one))) reported.add(id);
  const others = findings
    .filter((finding) => !reported.has(finding.id) && !isBetweenOrders(finding, orders))
    .map(verdictOfFinding);
  // A client that was seen to wait for half a minute has no timeout, however busy the machine was.
  const hasWaited = orders.some(({ truth }) => truth.waitsForever);
  const isInDoubt = ({ is, id }: Verdict): boolean =>
    is === "defect" && isTimeDependent(id) && !(id === "waits-forever" && hasWaited);
  return [...ofOrders, ...(imbalance === undefined ? [] : [imbalance]), ...others].map((verdict) =>
    isTooBusy && isInDoubt(verdict)
      ? { ...verdict, is: "not assessed" as const, seen: `the machine was too busy to tell: ${verdict.seen}` }
      : verdict,
  );
}

function judgeEach({ kept, orders }: Evidence): JudgedOrder[] {
  return orders.map((order) => ({ order, verdicts: judgeOrder(order, kept.events) }));
}
