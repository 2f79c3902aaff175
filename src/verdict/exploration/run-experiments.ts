import { isDetailsRequest } from "../../gateway/account/event-guards.ts";
import { requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import { cents } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { ProfileChange } from "../../gateway/settings/profiles.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { newOrder } from "../application/new-order.ts";
import { judgeOrder } from "../orders/judge-order.ts";
import { isTimeDependent, ORDER_CHECK_IDS } from "../orders/order-checks.ts";
import type { OrderTruth } from "../orders/order-truth.ts";
import { readReportTimeline } from "../report/timeline.ts";
import type { Questions } from "../trial/questions.ts";
import type { Evidence, Trial, TrialRunner } from "../trial/run-trial.ts";
import type { TrialStep } from "../trial/steps.ts";
import type { BorrowedAccount } from "../trial/with-account.ts";
import { all, faultsHappened } from "./conditions.ts";
import { type Experiment, faultsOf, placeInTurn, type PlannedOrder, scenarioOf } from "./experiment.ts";
import {
  combine,
  type LateResults,
  lateResults,
  notAssessed,
  orderResult,
  type OrderResult,
  type Result,
  type RunResults,
  withoutTimedVerdict,
  withVerdict,
} from "./result.ts";

/** Enough for every order of an exploration. */
const WALLET = cents(100_000_000);

export interface RunOptions {
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient?: boolean;
  /** How the gateway behaves otherwise than its settings say. */
  readonly profile?: ProfileChange;
  /** Whether to note what is shown of the plain order before its callback. */
  readonly isWatched?: boolean;
  /** Whether to note if the order is paid before the gateway answers. */
  readonly isHeld?: boolean;
  /** Whether the application goes on as the run before has left it. */
  readonly isContinued?: boolean;
}

export interface RunnerOptions extends Pick<BorrowedAccount, "environment" | "runId"> {
  readonly application: Application;
  readonly runner: Pick<TrialRunner, "run"> & { readonly questions: Pick<Questions, "plain"> };
}

/** Runs experiments on the account, and judges their orders. */
export class ExperimentRunner {
  readonly #options: RunnerOptions;
  readonly #startedAt: Instant;
  /** How often each draw was used. */
  readonly #draws = new Map<number, number>();
  #lastDraw = 0;
  readonly #plainDraws = new Map<Operation, number>();
  /** How often the application asks for account details for a plain order. */
  readonly #asked = new Map<Operation, number>();
  /** What is wrong with the traffic of a plain order already. Every other order repeats it. */
  readonly #known = new Set<string>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#startedAt = options.environment.clock.now();
  }

  /** Learns from a plain order. */
  learn({ experiment, order, points, verdicts, draws: [draw] }: Result): void {
    if (draw !== undefined) this.#plainDraws.set(experiment.operation, draw);
    for (const { is, id } of verdicts) if (is === "defect" && !ORDER_CHECK_IDS.includes(id)) this.#known.add(id);
    this.#asked.set(experiment.operation, points.filter(({ isDetails }) => isDetails).length);
    this.#options.runner.questions.plain.learn(order);
  }

  /** Runs experiments in parallel, each with its one order; or one of several orders alone. */
  async run(experiments: readonly Experiment[], options: RunOptions = {}): Promise<RunResults> {
    const planned = this.#plan(experiments, options);
    return this.#resultsOf(planned, await this.#options.runner.run(planned.trial));
  }

  /** Runs experiments, then leaves the application alone for so long. Resolves to what became wrong meanwhile. */
  async runAndLook(experiments: readonly Experiment[], wait: Millis): Promise<LateResults> {
    const planned = this.#plan(experiments, {});
    const first = await this.#options.runner.run(planned.trial);
    const last = await first.later(wait);
    const waited = Math.round(last.durationMillis - first.durationMillis);
    return lateResults(this.#resultsOf(planned, first), this.#resultsOf(planned, last), waited);
  }

  #plan(experiments: readonly Experiment[], options: RunOptions): PlannedRun {
    const { environment, runId } = this.#options;
    const orders = experiments.flatMap((experiment) => this.#newOrders(experiment));
    const [first] = experiments;
    const held = orders.filter(() => options.isHeld === true);
    const steps = [...this.#placeAll(first, orders), ...held.map((order) => ({ held: order }))];
    const scenario = scenarioOf(orders.map(({ planned: { faults = [] }, phoneNumber }) => ({ faults, phoneNumber })));
    const trial: Trial = {
      name: runId,
      clock: { mode: "manual" },
      balance: WALLET,
      profileChange: options.profile ?? first?.profile,
      scenarios: [scenario],
      steps,
      seed: environment.seed,
      // An application that was just started is slower than it was.
      isPatient: options.isPatient === true || steps.some((step) => "restart" in step),
      isContinued: options.isContinued,
      untold: orders.find(() => options.isWatched === true),
    };
    return { experiments, orders, trial, played: { scenario, steps } };
  }

  #resultsOf({ experiments, orders, played }: PlannedRun, evidence: Evidence): RunResults {
    const imbalance = evidence.isTooBusy ? undefined : evidence.imbalance;
    const judged = this.#judge(orders, evidence);
    const isOne = experiments.length === 1;
    const results = experiments.map((experiment): Result => {
      const own = orders.flatMap(({ of }, index) => (of === experiment ? [index] : []));
      return combine(
        own.flatMap((index) => judged[index] ?? []),
        {
          experiment,
          draws: own.flatMap((index) => orders[index]?.draw ?? []),
          unmet: unmetIn(experiment, own, evidence),
          hasExtraDetailsRequests: this.#hasExtraDetailsRequests(orders, evidence),
          durationMillis: evidence.durationMillis,
          played,
          imbalance: isOne ? imbalance : undefined,
        },
      );
    });
    return {
      results,
      imbalance: isOne ? undefined : imbalance,
      isBalanceShared: evidence.isBalanceShared,
      loadMillis: evidence.loadMillis,
    };
  }

  #placeAll(of: Experiment | undefined, orders: readonly OrderOfRun[]): readonly TrialStep[] {
    const { at_once = Infinity } = this.#options.application.map;
    if (of?.steps !== undefined) return of.steps(orders);
    return orders.length > at_once ? placeInTurn(orders) : [{ place: orders, isAtOnce: true }];
  }

  #judge(orders: readonly OrderOfRun[], evidence: Evidence): OrderResult[] {
    const { kept, imbalance, isTooBusy } = evidence;
    const run = { kept, timeline: readReportTimeline(kept), isAlone: orders.length === 1, known: this.#known };
    return evidence.orders.flatMap((order, index) => {
      const of = orders[index]?.of;
      if (of === undefined) return [];
      const judged = orderResult(order, judgeOrder(order, kept.events), { ...run, operation: of.operation });
      const result = withVerdict(judged, of.judge?.(evidence)[index]);
      const isInDoubt = imbalance !== undefined || dependsOnTime(result);
      return [isTooBusy && isInDoubt ? withoutTimedVerdict(result) : this.#withoutUntold(of, result)];
    });
  }

  #hasExtraDetailsRequests(orders: readonly OrderOfRun[], { kept }: Evidence): boolean {
    const usual = orders.reduce((sum, { operation }) => sum + (this.#asked.get(operation) ?? 0), 0);
    return orders.length > 1 && requestsOfBackend(kept.events).filter(isDetailsRequest).length > usual;
  }

  /** An order is not assessed that is open only because the map has no receiver that could have been told. Lost answers leave it open anyway. */
  #withoutUntold(experiment: Experiment, result: OrderResult): OrderResult {
    const { truth } = result.order;
    const isPlain = faultsOf(experiment).length === 0 && experiment.name === undefined;
    const hasReceiver = this.#options.application.map.callbacks[experiment.operation] !== undefined;
    if (isPlain || hasReceiver || result.verdict !== "open" || !isAnswered(truth)) return result;
    const { verdict, verdicts } = notAssessed(result, describeUntold(experiment));
    return { ...result, verdict, verdicts: [...verdicts, ...result.verdicts.filter(({ is }) => is !== "open")] };
  }

  #newOrders(of: Experiment): OrderOfRun[] {
    const orders: OrderOfRun[] = [];
    for (const planned of of.orders) orders.push(this.#newOrder(of, planned, orders[0]));
    return orders;
  }

  #newOrder(of: Experiment, planned: PlannedOrder, first: ApplicationOrder | undefined): OrderOfRun {
    const { application, environment } = this.#options;
    const known = planned.isPlain === true ? this.#plainDraws.get(of.operation) : planned.draw;
    const draw = known ?? (this.#lastDraw += 1);
    const repeat = this.#draws.get(draw) ?? 0;
    this.#draws.set(draw, repeat + 1);
    const run = { seed: environment.seed, startedAt: this.#startedAt, map: application.map };
    return {
      ...newOrder(of.operation, { ...run, draw, repeat, kind: planned, ...(first && { first }) }),
      of,
      planned,
      draw,
    };
  }
}

/** Returns why an experiment did not happen as meant in a run, in which its orders had these places. */
function unmetIn(experiment: Experiment, places: readonly number[], evidence: Evidence): string | undefined {
  const orders = places.flatMap((place) => evidence.orders[place] ?? []);
  const happened = all(faultsHappened(experiment), ...(experiment.happened === undefined ? [] : [experiment.happened]));
  return happened({ ...evidence, events: evidence.kept.events, orders });
}

function dependsOnTime({ defect, order }: OrderResult): boolean {
  return defect !== undefined && isTimeDependent(defect.id) && !order.truth.waitsForever;
}

/** Returns whether an order was accepted, all that was said of it at once arrived, and its result will come. */
function isAnswered({ accepted, neverSettles, isMisled, readings }: OrderTruth): boolean {
  const areRead = readings.every(({ answer: { says } }) => says === "accepted" || says === "refused");
  return accepted > 0 && !neverSettles && !isMisled && areRead;
}

function describeUntold({ operation }: Experiment): string {
  return `the map has no callbacks.${operation}, so that nothing told the application what became of the order`;
}

/** Experiments with their orders, and the trial in which they are placed. */
interface PlannedRun extends Pick<Result, "played"> {
  readonly experiments: readonly Experiment[];
  readonly orders: readonly OrderOfRun[];
  readonly trial: Trial;
}

interface OrderOfRun extends ApplicationOrder {
  readonly of: Experiment;
  readonly planned: PlannedOrder;
  readonly draw: number;
}
