import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import type { Scenario } from "../../src/gateway/scenario/schema.ts";
import { PROFILE_DEFAULTS } from "../../src/gateway/settings/profiles.ts";
import type { AppMap } from "../../src/verdict/application/app-map.ts";
import { Application } from "../../src/verdict/application/application.ts";
import type { Claimed } from "../../src/verdict/application/claims.ts";
import type { ApplicationOrder, PlacedOrder } from "../../src/verdict/application/placed-order.ts";
import { type Experiment, experimentWith, type FaultAt, type Point } from "../../src/verdict/exploration/experiment.ts";
import { namedExperiments } from "../../src/verdict/exploration/experiments.ts";
import { profileExperiments } from "../../src/verdict/exploration/profile-experiments.ts";
import type { Result, RunResults } from "../../src/verdict/exploration/result.ts";
import { ExperimentRunner } from "../../src/verdict/exploration/run-experiments.ts";
import { findFault } from "../../src/verdict/faults.ts";
import type { OrderEvidence } from "../../src/verdict/orders/order-evidence.ts";
import { Questions } from "../../src/verdict/trial/questions.ts";
import type { Evidence, FirstEvidence, Trial } from "../../src/verdict/trial/run-trial.ts";
import { type Verdict, verdictWithoutExchanges } from "../../src/verdict/verdict.ts";
import { requestsByOrder } from "../../src/gateway/account/readings/requests-of-orders.ts";
import { readOrderTruth } from "../../src/verdict/orders/order-truth.ts";
import { evidenceOf, ORDER, trialEnvironment } from "./order-evidence.ts";

const FIRST: Point = { operation: "airtime", isDetails: false, nth: 1 };
export const RETRY: Point = { ...FIRST, nth: 2 };
export const DETAILS: Point = { ...FIRST, isDetails: true };

/** A fault at a point, by default the first request. */
export function faultAt(id: string, point = FIRST): FaultAt {
  const fault = findFault(id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  return { ...point, fault };
}

/** An experiment with an order of airtime, to whose first request these faults happen. */
export function experiment(...ids: readonly string[]): Experiment {
  return experimentWith(
    "airtime",
    ids.map((id) => faultAt(id)),
  );
}

/** An app map that says only where the application is. */
export const BARE_MAP: AppMap = { version: 1, application: "http://localhost:3000", order: {}, callbacks: {} };

/** An app map that gives occasion for every experiment. */
export const FULL_MAP: AppMap = {
  ...BARE_MAP,
  restart: { command: "true" },
  order: { airtime: { request: { method: "POST", url: "{app}/orders", json: "{reference}" } } },
  callbacks: { airtime: "{app}/hooks" },
};

export function applicationOf(map: AppMap): Application {
  return new Application(map, trialEnvironment());
}

/** The experiments that no single fault describes, by name. */
export const NAMED: ReadonlyMap<string, Experiment> = new Map(
  [
    ...namedExperiments("sms", { application: applicationOf(BARE_MAP), answersFirst: false }),
    ...namedExperiments("airtime", { application: applicationOf(FULL_MAP), answersFirst: true }),
    ...[...Object.values(PROFILE_DEFAULTS), { ...PROFILE_DEFAULTS.document, callback_values: "text" as const }].flatMap(
      (profile) =>
        profileExperiments(["airtime"], {
          application: { map: FULL_MAP, hasStatusOfEach: true },
          profile,
          verdictOf: () => undefined,
        }),
    ),
  ].map((one) => [one.name ?? "", one]),
);

export function named(name: string): Experiment {
  const found = NAMED.get(name);
  if (found === undefined) throw new Error(`there is no experiment ${name}`);
  return found;
}

export interface Happened extends Partial<Omit<Evidence, "orders" | "kept">> {
  readonly events: readonly AccountEvent[];
  /** Of each order. */
  readonly orders?: readonly (Partial<OrderEvidence> | undefined)[];
}

/** Runs experiments in trials that leave what is told of their orders. */
export function runnerOf(happen: (orders: readonly ApplicationOrder[], scenario: Scenario) => Happened) {
  const trials: Trial[] = [];
  const environment = trialEnvironment();
  const happening = async (trial: Trial): Promise<Evidence> => {
    const orders = [...new Set(trial.steps.flatMap((step) => ("place" in step ? step.place : [])))];
    const {
      events,
      orders: changes = [],
      ...rest
    } = happen(orders, trial.scenarios.at(-1) ?? { version: 1, name: "" });
    const requests = requestsByOrder(events, orders.map(afterFirst));
    return {
      kept: { first: 1, events },
      findings: [],
      orders: orders.map((order, index) => {
        const truth = readOrderTruth(events, requests.get(order.reference));
        return evidenceOf(order, events, { truth, ...changes[index] });
      }),
      isBalanceShared: false,
      imbalance: undefined,
      isTooBusy: false,
      loadMillis: 0,
      durationMillis: 5,
      restartedAt: undefined,
      wentDownAt: undefined,
      waitedAt: [],
      stranger: undefined,
      ...rest,
    };
  };
  const run = async (trial: Trial): Promise<FirstEvidence> => {
    trials.push(trial);
    return { ...(await happening(trial)), later: () => happening(trial) };
  };
  const application = new Application(FULL_MAP, environment);
  const trialRunner = { run, questions: new Questions(application, environment) };
  return {
    runner: new ExperimentRunner({ application, environment, runId: "run", runner: trialRunner }),
    trialRunner,
    trials,
  };
}

/** A second order for a number is placed once the first has been requested. */
function afterFirst(order: ApplicationOrder, index: number, orders: readonly ApplicationOrder[]) {
  const isSecond = orders.slice(0, index).some(({ phoneNumber }) => phoneNumber === order.phoneNumber);
  return isSecond ? { ...order, requestsBefore: 1 } : order;
}

/** Answers each order with this status, and says this of it, whatever becomes of it. */
export class StubbornApplication extends Application {
  readonly placed: ApplicationOrder[] = [];
  readonly #claim: Claimed["claim"];
  readonly #answer: number;

  constructor(claim: Claimed["claim"], answer = 201, changes: Partial<AppMap> = {}) {
    super({ ...FULL_MAP, restart: undefined, ...changes }, trialEnvironment());
    this.#claim = claim;
    this.#answer = answer;
  }

  override async place(order: ApplicationOrder): Promise<PlacedOrder> {
    this.placed.push(order);
    return { ...order, reply: { kind: "answered", status: this.#answer, text: "" } };
  }

  override async isListening(): Promise<boolean> {
    return true;
  }

  override async status(): Promise<Claimed> {
    return { claim: this.#claim, said: this.#claim };
  }
}

/** A result of an experiment, by default one that is right. */
export function resultOf(changes: Partial<Result> = {}): Result {
  const of = changes.experiment ?? experiment();
  const order = changes.order ?? evidenceOf(ORDER, [], { claimed: { claim: "failed", said: "failed" } });
  return {
    experiment: of,
    all: [{ order, ...(changes.defect && { defect: changes.defect }) }],
    imbalance: undefined,
    draws: of.orders.map((_, index) => index + 1),
    unmet: undefined,
    order,
    verdict: changes.defect === undefined ? "right" : "defect",
    verdicts: changes.defect === undefined ? [] : [changes.defect],
    timeline: [],
    others: [],
    points: [],
    isUnclear: false,
    hasExtraDetailsRequests: false,
    durationMillis: 0,
    played: { scenario: { version: 1, name: "explored" }, steps: [] },
    ...changes,
  };
}

export function runOf(results: readonly Result[], imbalance?: Verdict): RunResults {
  return { results, isBalanceShared: true, loadMillis: 0, imbalance };
}

export function defectOf(id: string, seen = ""): Verdict {
  return verdictWithoutExchanges({ is: "defect", id, title: "", seen });
}
