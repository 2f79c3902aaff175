import type { Application } from "../application/application.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { isSlow, ordersAtOnce } from "./bundles.ts";
import {
  changesAccount,
  describePoint,
  type Experiment,
  type FaultAt,
  experimentWith,
  faultsAt,
  faultsOf,
  type Point,
} from "./experiment.ts";
import { namedExperiments } from "./experiments.ts";
import { requestHistory, type Result } from "./result.ts";

export interface PlanOptions {
  readonly application: Application;
  /** The ids of the faults and the names of the experiments to try. Defaults to all. */
  readonly faults?: readonly string[];
}

/** Later retries and later requests for account details are not explored. */
const DEEPEST_POINT = 2;

/** Returns what is tried first: each fault at each point of the plain orders, and the named experiments. */
export function firstExperiments(baseline: readonly Result[], options: PlanOptions): Experiment[] {
  const { application, faults } = options;
  const named = baseline.flatMap((result) =>
    namedExperiments(result.experiment.operation, { application, answersFirst: answersFirst(result) }),
  );
  return [
    ...baseline.flatMap(({ points }) => points).flatMap((point) => experimentsAt(point, [], options)),
    ...named.filter(({ name = "" }) => faults === undefined || faults.includes(name)).filter(fitsIn(application)),
  ];
}

/** An experiment needs no more orders at once than the application takes. */
function fitsIn({ map: { at_once = Infinity } }: Application): (experiment: Experiment) => boolean {
  return (experiment) => ordersAtOnce(experiment) <= at_once;
}

/** Returns whether an application answers an order before it asks the gateway. */
function answersFirst({ order: { placed, truth } }: Result): boolean {
  const [request] = truth.requests;
  return request !== undefined && placed.answeredAt !== undefined && placed.answeredAt < sentAt(request);
}

function experimentsAt(point: Point, before: readonly FaultAt[], { application, faults }: PlanOptions): Experiment[] {
  if (point.nth > DEEPEST_POINT) return [];
  const hasReceiver = application.map.callbacks[point.operation] !== undefined;
  return faultsAt(point)
    .filter(({ fault }) => faults === undefined || faults.includes(fault.id))
    .filter(({ fault }) => hasReceiver || fault.group !== "callback")
    .map((at) => experimentWith(point.operation, [...before, at]))
    .filter(fitsIn(application));
}

interface Uncovered {
  readonly experiments: readonly Experiment[];
  /** How many were left out because another way leads to the same exchanges. */
  readonly redundant: number;
}

/**
 * Returns experiments for the points that faults have uncovered. If several faults led to a point in the same way, continues with the
 * fastest.
 */
export function uncovered(results: readonly Result[], known: ReadonlySet<string>, options: PlanOptions): Uncovered {
  const ways = new Map<string, Experiment[]>();
  let redundant = 0;
  for (const result of fastestFirst(results)) {
    for (const point of result.points.filter((one) => !known.has(describePoint(one)))) {
      const experiments = experimentsAt(point, faultsOf(result.experiment), options);
      const way = `${describePoint(point)}: ${requestHistory(result)}`;
      if (ways.has(way)) redundant += experiments.length;
      else ways.set(way, experiments);
    }
  }
  return { experiments: [...ways.values()].flat(), redundant };
}

/**
 * Returns the results of single faults without a defect. What changes the account lasts, so nothing else can go wrong after it, and a named
 * experiment does more than its fault, such as a restart.
 */
export function fastestFirst(results: readonly Result[]): Result[] {
  return results
    .filter(({ experiment, defect }) => defect === undefined && experiment.name === undefined)
    .filter(({ experiment }) => faultsOf(experiment).length === 1 && !changesAccount(experiment))
    .toSorted((one, other) => Number(isSlow(one.experiment)) - Number(isSlow(other.experiment)));
}
