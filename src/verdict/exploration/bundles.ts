import { formatDuration, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import type { AppMap } from "../application/app-map.ts";
import { type Application, USUAL_SETTLE } from "../application/application.ts";
import { mostAtOnce } from "../trial/steps.ts";
import { breaksDetailsRequest, changesAccount, type Experiment, faultsOf, mayHaltAfter } from "./experiment.ts";
import type { Result, RunResults } from "./result.ts";
import type { Fault } from "../faults.ts";
import { isQueueDependent } from "../orders/order-checks.ts";
import { counted } from "../../gateway/domain/counted.ts";

/** Experiments that run in parallel, each with its own order. */
export interface Bundle {
  /** The application reacts to them alike: after refusals, for one, it may rightly stop sending, and those beside them run again alone. */
  readonly kind: "unknown" | "refused" | "told" | "special" | "details";
  readonly experiments: readonly Experiment[];
}

/** The most orders in parallel. More would be a load test. */
const MAX_ORDERS = 48;

/**
 * Groups experiments into runs, those that lose most money in the least time first: experiments with an unknown outcome together, then the others in
 * twos, then special trials, slow experiments, and refusals together; those after which it may rightly halt come last, because nothing else can be tried
 * in an application that nobody makes go on. Special trials, experiments that change the account and experiments with faults at account details run
 * alone; so do all experiments, if the application does not tell orders apart.
 */
export function bundle(
  all: readonly Experiment[],
  { areAlone = false }: { readonly areAlone?: boolean } = {},
): Bundle[] {
  const of = (group: ReturnType<typeof groupOf>): Experiment[] =>
    all.filter((experiment) => groupOf(experiment) === group);
  const bundles: Bundle[] = [
    ...chunks(of("unknown"), MAX_ORDERS).map((experiments) => ({ kind: "unknown" as const, experiments })),
    ...mixedPairs(of("told")).map((experiments) => ({ kind: "told" as const, experiments })),
    ...of("special").map((experiment) => ({ kind: "special" as const, experiments: [experiment] })),
    ...chunks(of("slow"), MAX_ORDERS).map((experiments) => ({ kind: "unknown" as const, experiments })),
    ...chunks(of("refused"), MAX_ORDERS).map((experiments) => ({ kind: "refused" as const, experiments })),
    ...of("details").map((experiment) => ({ kind: "details" as const, experiments: [experiment] })),
    ...chunks(of("halting"), MAX_ORDERS).map((experiments) => ({ kind: "refused" as const, experiments })),
    ...of("account").map((experiment) => ({ kind: "refused" as const, experiments: [experiment] })),
  ];
  if (!areAlone) return bundles;
  return bundles.flatMap(({ kind, experiments: together }) =>
    together.map((experiment) => ({ kind, experiments: [experiment] })),
  );
}

function groupOf(experiment: Experiment): Bundle["kind"] | "slow" | "halting" | "account" {
  if (breaksDetailsRequest(experiment)) return "details";
  if (experiment.name !== undefined) return "special";
  if (changesAccount(experiment)) return "account";
  if (mayHaltAfter(experiment)) return "halting";
  if (isSlow(experiment)) return "slow";
  if (hasFaultLeaving(experiment, "unknown")) return "unknown";
  return hasFaultLeaving(experiment, "refused") ? "refused" : "told";
}

/** Returns how many orders an experiment needs at once. Without steps of its own, they may as well be placed one after another. */
export function ordersAtOnce({ operation, orders, steps }: Experiment): number {
  if (steps === undefined) return 1;
  const placed = orders.map((_, nth) => {
    return { operation, phoneNumber: String(nth), amount: 1, message: "", reference: String(nth) };
  });
  return mostAtOnce(steps(placed));
}

/** Returns how long experiments will take at least, and why, if the application shows outcomes late, does not say whose they are, or takes few orders at once. */
export function explainSlowness(
  experiments: readonly Experiment[],
  {
    hasStatusOfEach,
    map: { at_once },
  }: Pick<Application, "hasStatusOfEach"> & { readonly map: Pick<AppMap, "at_once"> },
  patience: Millis,
): string | undefined {
  if (hasStatusOfEach && patience <= USUAL_SETTLE && at_once === undefined) return undefined;
  const parallelism = new Parallelism(at_once);
  const runs = bundle(experiments, { areAlone: !hasStatusOfEach }).flatMap((one) => parallelism.split(one)).length;
  const why =
    explainFew(hasStatusOfEach, at_once) ?? `the application may need ${formatDuration(patience)} after a callback`;
  const minutes = Math.ceil((runs * patience) / MINUTE);
  return `${why}: at least ${counted(runs, "run")}, about ${minutes} min; the most dangerous faults come first`;
}

function explainFew(hasStatusOfEach: boolean, atOnce: number | undefined): string | undefined {
  if (!hasStatusOfEach) return "status in the app map names no order, so orders are placed one by one";
  return atOnce === undefined ? undefined : `at_once in the app map is ${atOnce}, so few orders are placed at once`;
}

/** An application may handle orders one after another, so these are placed last. */
export function isSlow(experiment: Experiment): boolean {
  return faultsOf(experiment).some(({ fault }) => fault.isSlow);
}

/** Load above this multiple of the baseline's is that of a busy machine. */
const BUSY = 5;

/** Shorter times than this are no load, but the machine's own jitter. */
const JITTER: Millis = 40;

/** How many orders run in parallel: fewer once the machine is slower than it was in the baseline. */
export class Parallelism {
  #most: number;
  #usual: Millis = JITTER;
  #highest: Millis = 0;
  #isQueued = false;

  constructor(atOnce = MAX_ORDERS) {
    this.#most = Math.min(MAX_ORDERS, atOnce);
  }

  noteBaseline(run: RunResults): RunResults {
    this.#usual = Math.max(this.#usual, run.loadMillis);
    return run;
  }

  note({ loadMillis }: Pick<RunResults, "loadMillis">): void {
    if (loadMillis <= BUSY * this.#usual) return;
    this.#highest = Math.max(this.#highest, loadMillis);
    this.#halve();
  }

  #halve(): void {
    this.#most = Math.max(1, Math.floor(this.#most / 2));
  }

  /** Notes what a run showed, and what was left of it once its orders were alone. */
  noteConfirmed({ results }: RunResults, confirmed: readonly Result[]): readonly Result[] {
    const isQueued = results.some(
      ({ defect }, index) =>
        defect !== undefined && isQueueDependent(defect.id) && confirmed[index]?.defect === undefined,
    );
    if (isQueued) this.#halve();
    this.#isQueued ||= isQueued;
    return confirmed;
  }

  split({ kind, experiments }: Bundle): Bundle[] {
    return chunks(experiments, this.#most).map((some) => ({ kind, experiments: some }));
  }

  /** Says what it changed, if anything. */
  describe(): string | undefined {
    const ran = `At most ${counted(this.#most, "order")} ran at once in the end`;
    if (this.#isQueued) return `${ran}: beside others, the application answered late or not at all; alone, it did not.`;
    if (this.#highest === 0) return undefined;
    const [slow, usual] = [this.#highest, this.#usual].map((load) => formatDuration(Math.round(load)));
    return `${ran}: the machine was busy, and a pause and a bare request took ${slow} longer than planned (in the baseline at most ${usual}).`;
  }
}

function chunks(experiments: readonly Experiment[], size: number): Experiment[][] {
  return experiments.length === 0 ? [] : [experiments.slice(0, size), ...chunks(experiments.slice(size), size)];
}

/** Pairs an order that fails with one that is delivered, in alternating order, to catch an application that mixes them up. */
function mixedPairs(experiments: readonly Experiment[]): Experiment[][] {
  const failing = experiments.filter((experiment) => hasFaultLeaving(experiment, "failed"));
  const delivered = experiments.filter((experiment) => !failing.includes(experiment));
  const mixed = experiments.flatMap((_, index) => [failing[index] ?? [], delivered[index] ?? []].flat());
  return chunks(mixed, 2).map((pair, index) => (index % 2 === 0 ? pair : pair.toReversed()));
}

function hasFaultLeaving(experiment: Experiment, what: Fault["leaves"]): boolean {
  return faultsOf(experiment).some(({ fault }) => fault.leaves === what);
}
