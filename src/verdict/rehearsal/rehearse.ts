import { compareWithPlain, needsPrice, placePlain } from "./compare-with-plain.ts";
import { type Performance, type RehearseOptions, stepsOf } from "./rehearsal-steps.ts";
import { type TrialReport, untriedTrial, orderlessTrial } from "../report/report.ts";
import { findingsOf, isBetweenOrders } from "../orders/several-requests.ts";
import { readReportTimeline } from "../report/timeline.ts";
import { withAccount, type BorrowedAccount } from "../trial/with-account.ts";
import { foldJournal } from "../../gateway/account/apply.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { isBeginning } from "../../gateway/account/event-guards.ts";
import { isUnread, ordersSame, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import { readRequests } from "../../gateway/account/readings/requests.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { AppMap } from "../application/app-map.ts";
import { explainNoRequest } from "../application/no-request.ts";
import { findInJournal } from "../checks/findings.ts";
import { judgeOrder, verdictOfFinding } from "../orders/judge-order.ts";
import { type JudgedOrder, judgeLastLook } from "../orders/last-look.ts";
import { isTimeDependent } from "../orders/order-checks.ts";
import { type Verdict, worstFirst, worstOf } from "../verdict.ts";
import { AccountTakenOver, NoVerdict } from "../trial/environment.ts";
import { type Evidence, TrialRunner } from "../trial/run-trial.ts";
import { mostAtOnce, type TrialStep } from "../trial/steps.ts";
import type { Rehearsal } from "./rehearsal-schema.ts";

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
