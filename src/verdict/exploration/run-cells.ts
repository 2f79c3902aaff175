import { isDetailsRequest } from "../../gateway/account/event-guards.ts";
import { requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import { cents } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { ProfileChange } from "../../gateway/settings/profiles.ts";
import type { Application, ApplicationOrder } from "../application/application.ts";
import { newOrder } from "../application/new-order.ts";
import { judgeOrder } from "../orders/judge-order.ts";
import { isTimeDependent, ORDER_CHECK_IDS } from "../orders/order-checks.ts";
import { readReportTimeline } from "../report/timeline.ts";
import { HELD_ANSWER, type Questions } from "../trial/questions.ts";
import type { Evidence, TrialRunner, TrialStep } from "../trial/run-trial.ts";
import type { BorrowedAccount } from "../trial/with-account.ts";
import { BETWEEN_ORDERS, type Cell, cellOf, isBetweenOrders, scenarioOf } from "./cell.ts";
import {
  type CellResult,
  type CellRun,
  combineResults,
  notAssessed,
  resultOf,
  withoutTimedVerdict,
} from "./cell-result.ts";
import { cellsOfOrders } from "./special-trials.ts";

/** Enough for every order of an exploration. */
const WALLET = cents(100_000_000);

export interface RunOptions {
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient?: boolean;
  /** How the gateway behaves otherwise than its settings say. */
  readonly profileChange?: ProfileChange;
  /** Whether to note if the order is paid before the gateway answers. */
  readonly isHeld?: boolean;
}

export interface CellRunnerOptions extends Pick<BorrowedAccount, "environment" | "runId"> {
  readonly application: Application;
  readonly runner: Pick<TrialRunner, "run"> & { readonly questions: Pick<Questions, "learn"> };
}

export class CellRunner {
  readonly #options: CellRunnerOptions;
  readonly #startedAt: Instant;
  #orders = 0;
  /** How often the application asks for account details for a plain order. */
  readonly #asked = new Map<Operation, number>();
  /** What is wrong with the traffic of a plain order already. Every other order repeats it. */
  readonly #known = new Set<string>();

  constructor(options: CellRunnerOptions) {
    this.#options = options;
    this.#startedAt = options.environment.clock.now();
  }

  learn({ cell, order, points, verdicts }: CellResult): void {
    for (const { is, id } of verdicts) if (is === "defect" && !ORDER_CHECK_IDS.includes(id)) this.#known.add(id);
    this.#asked.set(cell.operation, points.filter(({ isDetails }) => isDetails).length);
    this.#options.runner.questions.learn(order);
  }

  /** Runs cells in parallel, each with its own order; or a special trial alone, whose orders are one result. */
  async run(
    cells: readonly Cell[],
    { isPatient = false, profileChange, isHeld = false }: RunOptions = {},
  ): Promise<CellRun> {
    const { runner, environment, runId } = this.#options;
    const special = cells.find((cell) => cell.special !== undefined);
    const { earlier, later, steps } = this.#plan(cells);
    const held = later.filter(() => isHeld);
    const scenario = scenarioOf(later);
    const evidence = await runner.run({
      name: runId,
      clock: { mode: "manual" },
      balance: WALLET,
      profileChange: profileChange ?? special?.special?.profileChange,
      scenarios: [...held.map(() => HELD_ANSWER), scenario],
      steps: [...steps, ...held.map((order) => ({ held: order }))],
      seed: environment.seed,
      // An application that was just started is slower than it was.
      isPatient: isPatient || steps.some((step) => "restart" in step),
    });
    const { results, imbalance } = this.#judge([...earlier, ...later], evidence);
    const own = results.slice(earlier.length).map((result, index) => {
      const before = results.slice(0, earlier.length)[index];
      return before === undefined ? result : combineResults(result.cell, [result, before]);
    });
    return {
      results: special === undefined ? own : [combineResults(special, own, imbalance)],
      imbalance: special === undefined ? imbalance : undefined,
      scenario,
      orders: steps.flatMap((step) => ("place" in step ? step.place : [])),
      isBalanceShared: evidence.isBalanceShared,
      loadMillis: evidence.loadMillis,
    };
  }

  /** Returns the orders of a run and what happens to them. Where a fault happens between two orders, each has an earlier one. */
  #plan(cells: readonly Cell[]) {
    const earlier = cells.filter(isBetweenOrders).map(({ operation }) => this.#newOrder(cellOf(operation, [])));
    const later = cells.flatMap(cellsOfOrders).map((cell) => this.#newOrder(cell));
    const between: TrialStep[] =
      earlier.length === 0 ? [] : [{ place: earlier, isAtOnce: true }, { advance: BETWEEN_ORDERS }];
    const { isTwice, isInTurn, after = [] } = cells[0]?.special ?? {};
    const place = isTwice === true ? [...later, ...later] : later;
    const placing = (isInTurn === true ? place.map((order) => [order]) : [place]).map((some): TrialStep => ({
      place: some,
      isAtOnce: true,
    }));
    const steps: TrialStep[] = [...between, ...placing, ...after];
    return { earlier, later, steps };
  }

  #judge(orders: readonly OrderOfRun[], evidence: Evidence): Pick<CellRun, "results" | "imbalance"> {
    const { kept, imbalance, isTooBusy } = evidence;
    const { events } = kept;
    const usual = orders.reduce((sum, { operation }) => sum + (this.#asked.get(operation) ?? 0), 0);
    const isAlone = orders.length === 1;
    const hasExtraDetailsRequests = !isAlone && requestsOfBackend(events).filter(isDetailsRequest).length > usual;
    const run = {
      ...evidence,
      timeline: readReportTimeline(kept),
      isAlone,
      hasExtraDetailsRequests,
      known: this.#known,
    };
    const results = evidence.orders.flatMap((order, index) => {
      const cell = orders[index]?.cell;
      return cell === undefined ? [] : [resultOf({ cell, order }, judgeOrder(order, events), run)];
    });
    const isInDoubt = ({ defect, order }: CellResult): boolean =>
      imbalance !== undefined || (defect !== undefined && isTimeDependent(defect.id) && !order.truth.waitsForever);
    return {
      results: results.map((result) => {
        if (isTooBusy && isInDoubt(result)) return withoutTimedVerdict(result);
        if (!this.#isUntold(result)) return result;
        const { verdict, verdicts } = notAssessed(result, UNTOLD);
        return { ...result, verdict, verdicts: [...verdicts, ...result.verdicts.filter(({ is }) => is !== "open")] };
      }),
      imbalance: isTooBusy ? undefined : imbalance,
    };
  }

  /** Returns whether an order is open only because the map has no receiver that could have been told. Lost answers leave it open anyway. */
  #isUntold({ cell, verdict, order: { truth } }: CellResult): boolean {
    const isPlain = cell.faults.length === 0 && cell.special === undefined;
    if (isPlain || verdict !== "open" || truth.accepted === 0 || truth.neverSettles) return false;
    const { callbacks } = this.#options.application.map;
    const isAnswered = truth.readings.every(({ answer: { says } }) => says === "accepted" || says === "refused");
    return isAnswered && !truth.isMisled && callbacks[cell.operation] === undefined;
  }

  #newOrder(cell: Cell): OrderOfRun {
    const { application, environment } = this.#options;
    this.#orders += 1;
    const run = { seed: environment.seed, startedAt: this.#startedAt, map: application.map };
    return { ...newOrder(cell.operation, { ...run, index: this.#orders, kind: cell.kind }), cell };
  }
}

const UNTOLD = "the map has no callbacks, so that nothing told the application what became of the order";

interface OrderOfRun extends ApplicationOrder {
  readonly cell: Cell;
}
