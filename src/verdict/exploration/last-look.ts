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
import { type LateResults, type Result, withUnconfirmedDefect } from "./result.ts";

interface LastLook {
  /** Whether the application does not tell orders apart, so that only one can be placed. */
  readonly areAlone: boolean;
  /** Whether orders may be paid from one balance. */
  readonly hasBalance: boolean;
  /** Runs experiments, leaves the application alone, and asks again. */
  readonly look: (experiments: readonly Experiment[]) => Promise<LateResults>;
}

/** The most experiments that are looked at again, each alone, so that the last look takes no longer than a few times what it waits. */
const MOST_ALONE = 2;

/**
 * Places an order of each kind of end once more, all together, leaves the application alone, and asks about them. Resolves to the results that
 * differ then: a defect that was seen alone, too, or what is not assessed because it was not.
 */
export async function lookLast(results: ReadonlyMap<string, Result>, options: LastLook): Promise<Result[]> {
  const kinds = oneOfEachKind([...results.values()]).slice(0, options.areAlone ? 1 : undefined);
  const told: Result[] = [];
  for (const together of apart(kinds, options)) told.push(...(await lookTogether(together, options.look)));
  return told;
}

/** What an open order may hold of a balance hides what another got back from it. */
function apart(kinds: readonly Result[], { hasBalance }: LastLook): (readonly Result[])[] {
  const groups = hasBalance ? [kinds.filter((one) => !isOpen(one)), kinds.filter(isOpen)] : [kinds];
  return groups.filter(({ length }) => length > 0);
}

function isOpen({ order: { claimed } }: Result): boolean {
  return claimed.claim === "open";
}

async function lookTogether(kinds: readonly Result[], look: LastLook["look"]): Promise<Result[]> {
  const { late, imbalance } = await look(kinds.map(drawnAgain));
  const accused = late.filter(({ defect }, at) => late.findIndex((one) => one.defect?.id === defect?.id) === at);
  const suspects = accused.length > 0 || imbalance === undefined ? accused : [await findInTotal(kinds, look)];
  const told: Result[] = [];
  for (const [at, suspect] of suspects.entries()) {
    const same = at < MOST_ALONE ? await lookAlone(suspect, look) : undefined;
    const first = kinds.find((one) => one.experiment.id === suspect.experiment.id);
    const seen = suspect.defect ?? imbalance;
    if (same !== undefined) told.push(same);
    else if (first !== undefined && seen !== undefined) told.push(withUnconfirmedDefect(first, seen));
  }
  return told;
}

/** Resolves to what became wrong with an order alone, if it is what it is accused of. */
async function lookAlone({ experiment, draws, defect }: Result, look: LastLook["look"]): Promise<Result | undefined> {
  const { late } = await look([withDraws(experiment, draws)]);
  return late.find((one) => defect === undefined || one.defect?.id === defect.id);
}

/** Of a total that is wrong, nobody knows whose it is: returns one of those in the half that is wrong without the other, again and again. */
async function findInTotal(kinds: readonly Result[], look: LastLook["look"]): Promise<Result> {
  const [half, other] = [kinds.slice(0, Math.ceil(kinds.length / 2)), kinds.slice(Math.ceil(kinds.length / 2))];
  const [first] = half;
  if (first === undefined) throw new Error("a total is that of an order");
  if (other.length === 0) return first;
  const { late, imbalance } = await look(half.map(drawnAgain));
  return findInTotal(late.length > 0 || imbalance !== undefined ? half : other, look);
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
