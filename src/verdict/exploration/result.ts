import { isDetailsRequest } from "../../gateway/account/event-guards.ts";
import { isFor, isUnread, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { jointDefect, type OrderBesideOthers } from "../orders/joint-defect.ts";
import { isNew, judgeLastLook } from "../orders/last-look.ts";
import { moneyRank, ORDER_CHECK_IDS } from "../orders/order-checks.ts";
import type { ReportedEntry } from "../report/report.ts";
import { formatShort } from "../time-spent.ts";
import { verdictWithoutExchanges, type Verdict, type VerdictKind, worstFirst, worstOf } from "../verdict.ts";
import type { Evidence } from "../trial/run-trial.ts";
import type { TrialStep } from "../trial/steps.ts";
import type { Experiment, Point } from "./experiment.ts";

/** What was seen of one order. */
export interface OrderResult {
  readonly order: OrderEvidence;
  readonly verdict: VerdictKind;
  /** Defects first. */
  readonly verdicts: Verdict[];
  /** The first defect that the plain order did not have already. */
  readonly defect?: Verdict;
  readonly timeline: ReportedEntry[];
  /** Requests that reached the gateway without naming the order, if it was alone. */
  readonly others: readonly RequestEvent[];
  /** The points that occurred, in order. With parallel orders, requests for account details are left out, because they name no order. */
  readonly points: readonly Point[];
  /** Whether the machine was too busy to tell a slow application from a broken one. */
  readonly isUnclear: boolean;
}

/** What one run showed of an experiment: that of the order that is shown, and all that is wrong with the others. */
export interface Result extends OrderResult {
  readonly experiment: Experiment;
  /** Each of its orders. */
  readonly all: readonly OrderBesideOthers[];
  /** An error in its balance that cannot be attributed to a single order. */
  readonly imbalance: Verdict | undefined;
  /** The draws of its orders. */
  readonly draws: readonly number[];
  /** Why it did not happen as meant; undefined if it did. */
  readonly unmet: string | undefined;
  /** With parallel orders: whether one of them asked for account details more often than a plain order does. */
  readonly hasExtraDetailsRequests: boolean;
  readonly durationMillis: Millis;
  /** How long the application was left alone before its defect was seen, if it was not seen at first. */
  readonly lookedAfter?: Millis;
  /** What was played, with every order of the run. */
  readonly played: { readonly scenario: Scenario; readonly steps: readonly TrialStep[] };
}

/** Experiments that ran in parallel, each with its own order; or one of several orders. */
export interface RunResults {
  readonly results: readonly Result[];
  /** An error in the run's balance that cannot be attributed to a single order. */
  readonly imbalance?: Verdict;
  readonly isBalanceShared: boolean;
  /** How slow the machine was: what its pauses and a bare request took. */
  readonly loadMillis: Millis;
}

/** What became wrong while an application was left alone. */
export interface LateResults {
  /** Those whose defect was not seen at first. */
  readonly late: readonly Result[];
  /** What is wrong with the balance that they share, and was not at first. */
  readonly imbalance: Verdict | undefined;
}

export function onlyResult({ results: [result] }: Pick<RunResults, "results">): Result {
  if (result === undefined) throw new Error("a run has a result for each experiment");
  return result;
}

interface RunOfOrder extends Pick<Evidence, "kept"> {
  readonly operation: Operation;
  readonly timeline: readonly ReportedEntry[];
  /** Whether no other order ran in parallel. */
  readonly isAlone: boolean;
  /** The defects of traffic that the plain order has already. */
  readonly known: ReadonlySet<string>;
}

export function orderResult(order: OrderEvidence, verdicts: Verdict[], run: RunOfOrder): OrderResult {
  const { kept, timeline, isAlone, operation, known } = run;
  const all = requestsOfBackend(kept.events);
  const own = new Set(order.truth.requests.map(({ requestId }) => requestId));
  const requests = all.filter((event) => own.has(event.requestId) || (isAlone && isDetailsRequest(event)));
  const ids = new Set(requests.map(({ requestId }) => requestId));
  const proven = new Set(verdicts.flatMap(({ exchanges }) => exchanges.map(({ request_id }) => request_id)));
  return {
    order,
    verdict: worstOf(verdicts),
    verdicts,
    defect: verdicts.find(({ is, id }) => is === "defect" && !known.has(id)),
    timeline: timeline.filter(({ request_id }) => ids.has(request_id) || proven.has(request_id)),
    others: isAlone ? all.filter((event) => !own.has(event.requestId) && !isDetailsRequest(event)) : [],
    // No fault can be added to what the gateway refuses unread, nor to the requests for further recipients.
    points: pointsOf(
      requests.filter((event) => !isUnread(event) && !isFor(event, order.placed.recipients ?? [])),
      operation,
    ),
    isUnclear: false,
  };
}

/** Returns a result if the machine was too busy for a verdict that depends on time. */
export function withoutTimedVerdict<Some extends OrderResult>(
  result: Some,
): Some & { readonly defect: undefined; readonly isUnclear: true } {
  return { ...result, ...notAssessed(result, TOO_BUSY), defect: undefined, isUnclear: true };
}

export const TOO_BUSY =
  "the machine was too busy to tell a slow application from a broken one; explore again when it has less to do";

export function notAssessed(
  { verdicts: [first] }: Pick<Result, "verdicts">,
  seen: string,
): Pick<Result, "verdict" | "verdicts"> {
  const verdict = verdictWithoutExchanges({
    is: "not assessed",
    id: first?.id ?? "order",
    title: "places an order",
    seen,
  });
  return { verdict: "not assessed", verdicts: [verdict] };
}

/** Returns what is told of an experiment that did not happen as meant. A defect was seen all the same. */
export function withoutUnmet(result: Result): Result {
  const { unmet, defect } = result;
  if (unmet === undefined || defect !== undefined) return result;
  return { ...result, ...notAssessed(result, `the fault did not happen as meant (${unmet})`) };
}

/** Returns what is told of an order by evidence that only its experiment has. */
export function withVerdict<Some extends OrderResult>(result: Some, verdict: Verdict | undefined): Some {
  if (verdict === undefined) return result;
  return { ...result, verdict: verdict.is, verdicts: [verdict], defect: verdict.is === "defect" ? verdict : undefined };
}

export function withDefect<Some extends OrderResult>(result: Some, defect: Verdict): Some {
  const isOther = ({ is, id }: Verdict): boolean => is !== "right" && (is !== "defect" || id !== defect.id);
  const verdicts = [defect, ...result.verdicts.filter(isOther)];
  return { ...result, verdict: "defect", defect, verdicts };
}

/** Returns what is told of an experiment each of whose orders was seen to be right alone; undefined if that has no name of its own. */
export function jointly(result: Result): Result | undefined {
  const joint = jointDefect(result.all, result.imbalance);
  // Orders do not race for a balance if each was final before the next.
  if (joint?.id === "balance-race" && isInTurn(result.played.steps)) return undefined;
  const kept = result.verdicts.filter(({ is }) => is !== "defect");
  return joint && withDefect({ ...result, verdicts: kept }, joint);
}

/** Returns whether an order was placed only after nothing happened any more for those before it. */
function isInTurn(steps: readonly TrialStep[]): boolean {
  const quiet = steps.findIndex((step) => "quiet" in step);
  return quiet !== -1 && steps.findLastIndex((step) => "place" in step) > quiet;
}

/** Returns a result that showed a defect beside other orders, and not alone. */
export function withUnconfirmedDefect(result: Result, { seen }: Verdict): Result {
  const { verdicts } = notAssessed(result, `only beside other runs: ${seen}`);
  const others = result.verdicts.filter(({ is }) => is !== "right");
  return { ...result, verdict: worstOf([...verdicts, ...others]), verdicts: [...verdicts, ...others] };
}

/** Compares what two looks at one run showed, with so much time between them. */
export function lateResults(first: RunResults, last: RunResults, waited: Millis): LateResults {
  const late = last.results.flatMap((result, index) => {
    const before = first.results[index];
    if (before === undefined || result.defect === undefined || !isNew(result.defect, before.verdicts)) return [];
    const verdicts = judgeLastLook(before, result, waited);
    const { id } = result.defect;
    return [
      {
        ...result,
        verdicts,
        defect: verdicts.find((one) => one.is === "defect" && one.id === id),
        lookedAfter: waited,
      },
    ];
  });
  const { imbalance } = first.imbalance === undefined ? last : {};
  return { late, imbalance: imbalance && { ...imbalance, seen: `${formatShort(waited)} later: ${imbalance.seen}` } };
}

type OfExperiment = Omit<Result, keyof OrderResult | "all">;

/** Returns the orders of one experiment as one result, with all that is wrong with them: of defects, the one with the most money at risk first. */
export function combine(orders: readonly OrderResult[], { imbalance, ...ofExperiment }: OfExperiment): Result {
  const [first] = orders;
  if (first === undefined) throw new Error("an experiment has an order");
  if (orders.length === 1) return { ...first, ...ofExperiment, all: orders, imbalance };
  const defects = orders.flatMap((result) => (result.defect === undefined ? [] : [{ result, defect: result.defect }]));
  const [worst] = defects.toSorted((one, other) => moneyRank(one.defect.id) - moneyRank(other.defect.id));
  const shown =
    worst?.result ??
    orders.find(({ isUnclear, verdict }) => isUnclear || verdict === "not assessed") ??
    orders.find(({ verdict }) => verdict !== "right") ??
    first;
  const verdicts = [...shown.verdicts, ...orders.flatMap((one) => one.verdicts)];
  const isFirst = ({ is, id }: Verdict, at: number): boolean =>
    verdicts.findIndex((other) => other.is === is && other.id === id) === at;
  const distinct = verdicts.filter(isFirst).toSorted(worstFirst);
  const together = { timeline: timelineOf(orders), points: [], verdicts: distinct, verdict: worstOf(distinct) };
  const result: Result = { ...shown, ...together, ...ofExperiment, all: orders, imbalance };
  // A wrong total follows from an order that ended wrong, but not from how a callback was answered.
  const isOfOrder = worst !== undefined && ORDER_CHECK_IDS.includes(worst.defect.id);
  return imbalance === undefined || isOfOrder ? result : withDefect(result, imbalance);
}

/** Returns what happened in a run, with the exchanges of all its orders. */
export function timelineOf(results: readonly Pick<OrderResult, "timeline">[]): ReportedEntry[] {
  const entries = new Set(results.flatMap(({ timeline }) => timeline));
  return [...entries].toSorted((one, other) => one.at.localeCompare(other.at));
}

function pointsOf(requests: readonly RequestEvent[], operation: Operation): Point[] {
  const isDetails = requests.map(isDetailsRequest);
  return isDetails.map((one, index) => ({
    operation,
    isDetails: one,
    nth: isDetails.slice(0, index + 1).filter((other) => other === one).length,
  }));
}

/** Returns what the application knew when it sent the order again: that it was refused, or nothing. */
export function requestHistory({ experiment, order }: Result): string {
  return [experiment.operation, ...order.truth.requests.map(({ kind }) => kind)].join(" ");
}
