import { drawnAgain } from "./confirm.ts";
import {
  breaksDetailsRequest,
  changesAccount,
  type Experiment,
  faultsOf,
  mayHaltAfter,
  withDraws,
} from "./experiment.ts";
import { isSlow } from "./bundles.ts";
import type { Verdict } from "../verdict.ts";
import { type LateResults, type Result, withUnconfirmedDefect } from "./result.ts";

interface LastLook {
  /** Whether the application does not tell orders apart, so that only one can be placed. */
  readonly areAlone: boolean;
  /** Runs experiments, leaves the application alone, and asks again. */
  readonly look: (experiments: readonly Experiment[]) => Promise<LateResults>;
}

/** The most experiments that are looked at again, each alone, so that the last look takes no longer than a few times what it waits. */
const MOST_ALONE = 2;

/**
 * Places an order of each kind of end once more, all together, leaves the application alone, and asks about them. Resolves to the results that
 * differ then: a defect that was seen alone, too, or what is not assessed because it was not.
 */
export async function lookLast(results: ReadonlyMap<string, Result>, { areAlone, look }: LastLook): Promise<Result[]> {
  const kinds = oneOfEachKind([...results.values()]).slice(0, areAlone ? 1 : undefined);
  if (kinds.length === 0) return [];
  const { late, imbalance } = await look(kinds.map(drawnAgain));
  const accused = late.filter(({ defect }, at) => late.findIndex((one) => one.defect?.id === defect?.id) === at);
  // Of a total that is wrong, nobody knows yet whose it is.
  const suspects = accused.length > 0 || imbalance === undefined ? accused : onePaidFirst(kinds);
  const told: Result[] = [];
  const doubted: Result[] = [];
  for (const [at, suspect] of suspects.entries()) {
    const same = at < MOST_ALONE ? await lookAlone(suspect, look) : undefined;
    if (same !== undefined) told.push(same);
    else doubted.push(suspect);
  }
  const total = told.length > 0 ? undefined : imbalance;
  return [...told, ...doubted.flatMap((suspect) => unconfirmed(suspect, total, results))];
}

/** Resolves to what became wrong with an order alone, if it is what it is accused of. */
async function lookAlone({ experiment, draws, defect }: Result, look: LastLook["look"]): Promise<Result | undefined> {
  const { late } = await look([withDraws(experiment, draws)]);
  return late.find((one) => defect === undefined || one.defect?.id === defect.id);
}

/** Returns what is told of an order that was wrong only beside others, or whose total was. */
function unconfirmed(
  { experiment, defect }: Result,
  imbalance: Verdict | undefined,
  results: ReadonlyMap<string, Result>,
): Result[] {
  const [first, seen] = [results.get(experiment.id), defect ?? imbalance];
  return first === undefined || seen === undefined ? [] : [withUnconfirmedDefect(first, seen)];
}

/** Returns orders with a paid one first, and then those that are not. */
function onePaidFirst(kinds: readonly Result[]): Result[] {
  const [paid, others] = [kinds.filter(isPaid), kinds.filter((result) => !isPaid(result))];
  return [...paid.slice(0, 1), ...others, ...paid.slice(1)];
}

/**
 * Returns a result for each kind of end that an order had, and of what the application was told on the way there, of those that were right,
 * paid orders first: a timer may run since an answer that was lost, or a callback that came twice.
 */
function oneOfEachKind(results: readonly Result[]): Result[] {
  const kinds = new Map<string, Result>();
  for (const result of results.filter(canBeLookedAt)) {
    const { placed, claimed, truth } = result.order;
    const told = truth.readings.map(({ answer, known }) => [answer.says, known]);
    const kind = JSON.stringify([
      placed.operation,
      claimed.claim,
      truth.delivered.length,
      truth.accepted,
      truth.isNotified,
      told,
      truth.callbacks.length,
    ]);
    if (!kinds.has(kind)) kinds.set(kind, result);
  }
  const all = [...kinds.values()];
  return [...all.filter(isPaid), ...all.filter((result) => !isPaid(result))];
}

function isPaid({ order: { claimed } }: Result): boolean {
  return claimed.claim === "paid";
}

/** Returns whether an order was right, and another like it can be placed beside others. */
function canBeLookedAt(result: Result): boolean {
  const { experiment, unmet, order } = result;
  const isSeen = isRight(result) && unmet === undefined && order.truth.asked > 0;
  const isSingle = experiment.name === undefined && experiment.orders.length === 1 && faultsOf(experiment).length < 2;
  return (
    isSeen && isSingle && ![changesAccount, breaksDetailsRequest, mayHaltAfter, isSlow].some((is) => is(experiment))
  );
}

/** Returns whether nothing was wrong with an order, or nothing that a plain one has not, too. */
function isRight({ experiment, verdict, defect }: Result): boolean {
  const isPlain = faultsOf(experiment).length === 0;
  return verdict === "right" || verdict === "open" || (verdict === "defect" && (defect === undefined || isPlain));
}
