import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import { cents } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { formatInstant, type Instant, type Millis } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { Application, ApplicationOrder } from "../application/application.ts";
import { newOrder } from "../application/new-order.ts";
import { judgeOrder, judgeTotal } from "../orders/judge-order.ts";
import { isOfTime } from "../orders/order-checks.ts";
import type { Verdict } from "../report/report.ts";
import { readTimeline } from "../report/timeline.ts";
import type { TrialEnvironment } from "../trial/environment.ts";
import type { OrderToPlace } from "../trial/placing.ts";
import type { Evidence, TrialRunner, TrialStep } from "../trial/run-trial.ts";
import { isSlow } from "./bundles.ts";
import { BETWEEN_ORDERS, type Cell, cellOf, isBetweenOrders, scenarioOf } from "./cell.ts";
import { type CellResult, combined, type OrderOfCell, resultOf, unclear, withEarlier } from "./cell-result.ts";
import { faultsOfOrders } from "./special-trials.ts";

/** Enough for every order of an exploration. */
const WALLET = cents(100_000_000);

/** The results of the orders of one run. */
export interface CellRun {
  readonly results: readonly CellResult[];
  /** An error in the run's balance that cannot be attributed to a single order. */
  readonly imbalance?: Verdict;
  /** Whether its orders share one balance. */
  readonly isBalanceShared: boolean;
  readonly scenario: Scenario;
  /** In the order in which they were placed. */
  readonly orders: readonly ApplicationOrder[];
}

/** Returns the result of a run of one cell. */
export function onlyResult({ results: [result] }: CellRun): CellResult {
  if (result === undefined) throw new Error("a run has a result for each cell");
  return result;
}

export interface RunOptions {
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient?: boolean;
  readonly extra?: readonly Scenario[];
}

export interface CellRunnerOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly runner: TrialRunner;
}

/** Runs cells of an exploration as trials. */
export class CellRunner {
  readonly #options: CellRunnerOptions;
  readonly #startedAt: Instant;
  readonly #name: string;
  #orders = 0;
  /** How often the application asks for account details for a plain order. */
  readonly #asked = new Map<Operation, number>();

  constructor(options: CellRunnerOptions) {
    this.#options = options;
    const { clock, seed } = options.environment;
    this.#startedAt = clock.now();
    this.#name = `exploration, started at ${formatInstant(this.#startedAt)} with seed ${seed}`;
  }

  /** Learns what a plain order is like. */
  learn({ cell, order, points, firstAfter }: CellResult): void {
    this.#asked.set(cell.operation, points.filter(({ isDetails }) => isDetails).length);
    this.#options.runner.learn(order, firstAfter);
  }

  get patience(): Millis {
    return this.#options.runner.patience;
  }

  leaveOut(question: "balance" | "books"): void {
    this.#options.runner.leaveOut(question);
  }

  /** Runs cells in parallel, each with its own order; or a special trial alone. */
  async run(cells: readonly Cell[], { isPatient = false, extra = [] }: RunOptions = {}): Promise<CellRun> {
    const [first] = cells;
    if (first?.special !== undefined) return this.#runSpecial(first, isPatient);
    const later = cells.map((cell) => this.#newOrder(cell));
    const earlier = cells.filter(isBetweenOrders).map(({ operation }) => this.#newOrder(cellOf(operation, [])));
    const between: TrialStep[] =
      earlier.length === 0 ? [] : [{ place: earlier, isAtOnce: true }, { advance: BETWEEN_ORDERS }];
    const scenario = scenarioOf(later.map(({ cell, phoneNumber }) => ({ cell, phoneNumber })));
    const steps: TrialStep[] = [...between, { place: later, isAtOnce: true }];
    const evidence = await this.#play([...extra, scenario], steps, {
      isPatient,
      isConclusive: cells.every(({ faults }) => faults.every(({ fault }) => CONCLUSIVE.has(fault.id))),
    });
    const orders = [...earlier, ...later];
    const { results, imbalance } = this.#judge(orders, evidence);
    return {
      results: results
        .slice(earlier.length)
        .map((result, index) => withEarlier(result, earlier.length === 0 ? undefined : results[index])),
      scenario,
      orders,
      isBalanceShared: evidence.debitedTogether !== undefined,
      imbalance,
    };
  }

  /** Runs a special trial, whose orders are one result. */
  async #runSpecial(cell: Cell, isPatient: boolean): Promise<CellRun> {
    const { special, operation } = cell;
    if (special === undefined) throw new Error("a special trial is one");
    const placed = faultsOfOrders(special, operation).map((faults) => this.#newOrder({ ...cell, faults }));
    const { isTwice, restartAfter } = special;
    const scenario = scenarioOf(placed.map(({ cell: { faults }, phoneNumber }) => ({ cell: { faults }, phoneNumber })));
    const place = isTwice === true ? [...placed, ...placed] : placed;
    const restart: TrialStep[] =
      restartAfter === undefined ? [] : [...(restartAfter > 0 ? [{ advance: restartAfter }] : []), { restart: true }];
    const steps: TrialStep[] = [{ place, isAtOnce: true }, ...restart];
    const evidence = await this.#play([scenario], steps, { isPatient, isConclusive: false });
    const { results, imbalance } = this.#judge(placed, evidence);
    const isBalanceShared = evidence.debitedTogether !== undefined;
    return { results: [combined(cell, results, imbalance)], scenario, orders: place, isBalanceShared };
  }

  #play(
    scenarios: readonly Scenario[],
    steps: readonly TrialStep[],
    manner: { readonly isPatient: boolean; readonly isConclusive: boolean },
  ): Promise<Evidence> {
    const { runner, environment } = this.#options;
    return runner.run({
      name: this.#name,
      clock: { mode: "manual" },
      balance: WALLET,
      scenarios: scenarios,
      steps,
      seed: environment.seed,
      ...manner,
    });
  }

  #judge(
    orders: readonly OrderOfRun[],
    evidence: Evidence,
  ): { readonly results: readonly CellResult[]; readonly imbalance?: Verdict } {
    const { kept, debitedTogether, isTooBusy } = evidence;
    const { events } = kept;
    const usual = orders.reduce((sum, { operation }) => sum + (this.#asked.get(operation) ?? 0), 0);
    const isAlone = orders.length === 1;
    const asksMore = !isAlone && events.filter(isRequestEvent).filter(isDetailsRequest).length > usual;
    const run = { ...evidence, timeline: readTimeline(kept), isAlone, asksMore };
    const total =
      debitedTogether !== undefined && "value" in debitedTogether
        ? judgeTotal(evidence.orders, debitedTogether.value)
        : undefined;
    const results = evidence.orders.flatMap((order, index) => {
      const cell = orders[index]?.cell;
      const ofCell: OrderOfCell | undefined = cell && { cell, order };
      return ofCell === undefined ? [] : [resultOf(ofCell, judgeOrder(order, events), run)];
    });
    const isInDoubt = ({ defect, order }: CellResult): boolean =>
      total !== undefined || (defect !== undefined && isOfTime(defect.id) && !order.truth.waitsForever);
    return {
      results: results.map((result) => (isTooBusy && isInDoubt(result) ? unclear(result) : result)),
      imbalance: isTooBusy ? undefined : total,
    };
  }

  #newOrder(cell: Cell): OrderOfRun {
    const { application, environment } = this.#options;
    this.#orders += 1;
    const run = { seed: environment.seed, startedAt: this.#startedAt, map: application.map };
    const order = newOrder(cell.operation, { ...run, index: this.#orders });
    return { ...order, cell, isSlow: isSlow(cell) };
  }
}

interface OrderOfRun extends OrderToPlace {
  readonly cell: Cell;
}

/** Faults after which a right outcome stays right, because the application was told it once and completely. */
const CONCLUSIVE: ReadonlySet<string> = new Set([
  "result-failed",
  "result-rejected",
  "result-not-on-network",
  "result-timed-out",
  "callback-late",
]);
