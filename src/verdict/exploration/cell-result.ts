import { isDetailsRequest } from "../../gateway/account/event-guards.ts";
import { isFor, isUnread, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { ApplicationOrder } from "../application/application.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { moneyRank, ORDER_CHECK_IDS, ORDER_CHECKS, type OrderCheckId } from "../orders/order-checks.ts";
import type { ReportedEntry } from "../report/report.ts";
import {
  followsFrom,
  verdictWithoutExchanges,
  type Verdict,
  type VerdictKind,
  worstFirst,
  worstOf,
} from "../verdict.ts";
import type { Evidence } from "../trial/run-trial.ts";
import { type Cell, type Point, ruleNameOf } from "./cell.ts";

export interface CellResult {
  readonly cell: Cell;
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
  /** Whether every fault occurred. */
  readonly isPlayed: boolean;
  /** Whether the machine was too busy to tell a slow application from a broken one. */
  readonly isUnclear: boolean;
  /** With parallel orders: whether one of them asked for account details more often than a plain order does. */
  readonly hasExtraDetailsRequests: boolean;
  readonly durationMillis: Millis;
  /** The run that shows the defect, if it only appears together with other orders. */
  readonly together?: CellRun;
}

export interface CellRun {
  readonly results: readonly CellResult[];
  /** An error in the run's balance that cannot be attributed to a single order. */
  readonly imbalance?: Verdict;
  readonly isBalanceShared: boolean;
  /** How slow the machine was: what its pauses and a bare request took. */
  readonly loadMillis: Millis;
  readonly scenario: Scenario;
  /** In the order in which they were placed. */
  readonly orders: readonly ApplicationOrder[];
}

export function onlyResult({ results: [result] }: CellRun): CellResult {
  if (result === undefined) throw new Error("a run has a result for each cell");
  return result;
}

interface RunOfOrder extends Pick<Evidence, "kept" | "durationMillis"> {
  readonly timeline: readonly ReportedEntry[];
  /** Whether no other order ran in parallel. */
  readonly isAlone: boolean;
  readonly hasExtraDetailsRequests: boolean;
  /** The defects of traffic that the plain order has already. */
  readonly known: ReadonlySet<string>;
}

export function resultOf(
  { cell, order }: Pick<CellResult, "cell" | "order">,
  verdicts: Verdict[],
  run: RunOfOrder,
): CellResult {
  const { kept, timeline, isAlone, hasExtraDetailsRequests, durationMillis, known } = run;
  const all = requestsOfBackend(kept.events);
  const own = new Set(order.truth.requests.map(({ requestId }) => requestId));
  const requests = all.filter((event) => own.has(event.requestId) || (isAlone && isDetailsRequest(event)));
  const ids = new Set(requests.map(({ requestId }) => requestId));
  const fired = new Set(requests.flatMap(({ rules }) => (rules?.fired ?? []).map(({ rule }) => rule)));
  const played = cell.faults.filter(
    (one) => !("then" in one.fault) || fired.has(ruleNameOf(one, order.placed.phoneNumber)),
  );
  return {
    cell,
    order,
    verdict: worstOf(verdicts),
    verdicts,
    defect: verdicts.find(({ is, id }) => is === "defect" && !known.has(id)),
    timeline: timeline.filter(({ request_id }) => ids.has(request_id)),
    others: isAlone ? all.filter((event) => !own.has(event.requestId) && !isDetailsRequest(event)) : [],
    // No fault can be added to what the gateway refuses unread, nor to the requests for further recipients.
    points: pointsOf(
      requests.filter((event) => !isUnread(event) && !isFor(event, order.placed.recipients ?? [])),
      cell.operation,
    ),
    isPlayed: all.length > 0 && played.length === cell.faults.length,
    hasExtraDetailsRequests,
    isUnclear: false,
    durationMillis,
  };
}

/** Returns the result of a cell if the machine was too busy for a verdict that depends on time. */
export function withoutTimedVerdict({ defect: _defect, ...result }: CellResult): CellResult {
  return { ...result, ...notAssessed(result, TOO_BUSY), isUnclear: true };
}

export const TOO_BUSY =
  "the machine was too busy to tell a slow application from a broken one; explore again when it has less to do";

export function notAssessed(
  { verdicts: [first] }: Pick<CellResult, "verdicts">,
  seen: string,
): Pick<CellResult, "verdict" | "verdicts"> {
  const verdict = verdictWithoutExchanges({
    is: "not assessed",
    id: first?.id ?? "order",
    title: "places an order",
    seen,
  });
  return { verdict: "not assessed", verdicts: [verdict] };
}

export function withDefect(result: CellResult, defect: Verdict): CellResult {
  return {
    ...result,
    verdict: "defect",
    defect,
    verdicts: [defect, ...result.verdicts.filter((other) => other !== defect && other.is !== "right")],
  };
}

/** Returns what is told of orders each of which was seen to be right alone, and that are wrong together. */
export function withDefectOfAllOrders(result: CellResult): CellResult {
  const { defect, verdicts } = result;
  const id = idTogether(result);
  if (defect === undefined || id === undefined) return result;
  const { title, repair } = ORDER_CHECKS[id];
  const others = verdicts.filter((one) => one !== defect);
  const follows = [...defect.follows, ...followsFrom(others.filter(({ is }) => is === "defect"))];
  const kept = others.filter(({ is }) => is !== "defect");
  return withDefect({ ...result, verdicts: kept }, { ...defect, id, title, repair, follows });
}

function idTogether({ defect, order }: CellResult): OrderCheckId | undefined {
  if (defect?.id === "wrong-debit") return "balance-race";
  const isOther =
    defect?.id === "paid-never-delivered" || (defect?.id === "delivered-shown-failed" && order.truth.isNotified);
  return isOther ? "mixed-up-orders" : undefined;
}

/** Returns the result of a cell that showed a defect beside other orders, and not alone. */
export function withUnconfirmedDefect(result: CellResult, { seen }: Verdict): CellResult {
  const { verdicts } = notAssessed(result, `only beside other runs: ${seen}`);
  const others = result.verdicts.filter(({ is }) => is !== "right");
  return { ...result, verdict: worstOf([...verdicts, ...others]), verdicts: [...verdicts, ...others] };
}

/** Returns the orders of one cell as one result, with all that is wrong with them: of defects, the one with the most money at risk first. */
export function combineResults(cell: Cell, results: readonly CellResult[], imbalance?: Verdict): CellResult {
  const defects = results.flatMap((result) => (result.defect === undefined ? [] : [{ result, defect: result.defect }]));
  const [worst] = defects.toSorted((one, other) => moneyRank(one.defect.id) - moneyRank(other.defect.id));
  const shown =
    worst?.result ??
    results.find(({ isUnclear, isPlayed, verdict }) => isUnclear || !isPlayed || verdict === "not assessed") ??
    results.find(({ verdict }) => verdict !== "right") ??
    results[0];
  if (shown === undefined) throw new Error("a trial has an order");
  const verdicts = [...shown.verdicts, ...results.flatMap((one) => one.verdicts)];
  const isFirst = ({ is, id }: Verdict, at: number): boolean =>
    verdicts.findIndex((other) => other.is === is && other.id === id) === at;
  const distinct = verdicts.filter(isFirst).toSorted(worstFirst);
  const together = { timeline: inTime(results), points: [], verdicts: distinct, verdict: worstOf(distinct) };
  const result: CellResult = { ...shown, ...together, cell };
  // A wrong total follows from an order that ended wrong, but not from how a callback was answered.
  const isOfOrder = worst !== undefined && ORDER_CHECK_IDS.includes(worst.defect.id);
  return imbalance === undefined || isOfOrder ? result : withDefect(result, imbalance);
}

function inTime(results: readonly CellResult[]): ReportedEntry[] {
  return results.flatMap(({ timeline }) => timeline).toSorted((one, other) => one.at.localeCompare(other.at));
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
export function requestHistory({ cell, order }: CellResult): string {
  return [cell.operation, ...order.truth.requests.map(({ kind }) => kind)].join(" ");
}
