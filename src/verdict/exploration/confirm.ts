import { showKes, cents } from "../../gateway/domain/kes.ts";
import { jointDefect } from "../orders/joint-defect.ts";
import { isQueueDependent } from "../orders/order-checks.ts";
import type { Verdict } from "../verdict.ts";
import { breaksDetailsRequest, type Experiment, withDraws } from "./experiment.ts";
import {
  withUnconfirmedDefect,
  jointly,
  notAssessed,
  onlyResult,
  type Result,
  type RunResults,
  timelineOf,
  withoutTimedVerdict,
  withDefect,
} from "./result.ts";
import type { RunOptions } from "./run-experiments.ts";

/** The most runs of one experiment alone. Only a machine that stays too busy needs all of them. */
const MAX_RUNS = 3;

/** Runs experiments again, with the same draws, until their verdicts are certain. */
export class Confirmer {
  readonly #run: (experiments: readonly Experiment[], options?: RunOptions) => Promise<RunResults>;
  /** The defects that were seen although the application had its full time. */
  readonly #defects = new Set<string>();
  /** The defects of which it is known whether they depend on the draw. */
  readonly #drawn = new Set<string>();
  /** Whether orders were seen to race for a balance: it was wrong after several, and right after each alone in its full time. */
  #isRaceKnown = false;

  constructor(run: (experiments: readonly Experiment[], options?: RunOptions) => Promise<RunResults>) {
    this.#run = run;
  }

  /** Confirms what a run showed: each accused order alone. If none is wrong alone, places them together again, with nothing else running. */
  async confirm(together: RunResults): Promise<Result[]> {
    const [only] = together.results;
    if (together.results.length === 1 && only !== undefined && only.experiment.orders.length > 1)
      return [await this.#confirmSeveral(only)];
    const results = await this.#confirmEach(together);
    const accused = results.map(({ defect }, index) =>
      defect === undefined && results.length > 1 ? together.results[index]?.defect : undefined,
    );
    // One order that waits keeps others waiting where one process answers, which no repetition tells from a slow application.
    const isDoubtful =
      together.imbalance !== undefined || accused.some((one) => one !== undefined && !isQueueDependent(one.id));
    if (!isDoubtful || results.some((result) => hasDefect(result) || !isAssessed(result)))
      return results.map((result, index) => clearedResult(result, accused[index]));
    // What only follows later looks wrong beside others, too.
    const again = await this.#run(results.map(drawnAgain), { isPatient: true });
    const late = again.imbalance === undefined ? undefined : await this.#confirmLate(again.results);
    if (late !== undefined) return late;
    const wrong = again.results.map(({ defect }) => (defect && !isQueueDependent(defect.id) ? defect : undefined));
    const joint = jointDefect(
      again.results.map((result, index) => ({ order: result.order, defect: wrong[index] })),
      again.imbalance,
    );
    return results.map((result, index) => {
      const shown = again.results[index] ?? result;
      const isShown = wrong[index] !== undefined || (index === 0 && again.imbalance !== undefined);
      const defect = isShown ? (joint ?? wrong[index] ?? again.imbalance) : undefined;
      if (defect === undefined) return clearedResult(result, accused[index] ?? shown.defect);
      return withDefect({ ...shown, verdicts: [], timeline: timelineOf(again.results) }, defect);
    });
  }

  /** Gives each order of a wrong total its full time alone. Resolves to undefined unless one of them is wrong then, too. */
  async #confirmLate(results: readonly Result[]): Promise<Result[] | undefined> {
    if (this.#isRaceKnown) return undefined;
    const alone: Result[] = [];
    for (const result of results) alone.push(onlyResult(await this.#run([drawnAgain(result)], { isPatient: true })));
    if (!alone.some(hasDefect)) {
      this.#isRaceKnown = alone.every(isAssessed);
      return undefined;
    }
    const confirmed: Result[] = [];
    for (const result of alone) confirmed.push(hasDefect(result) ? await this.confirmAlone(result) : result);
    return confirmed;
  }

  /**
   * Runs an experiment alone until its verdict is certain. A defect counts once two runs have shown it, and not another one. Runs on a machine
   * that was too busy do not count, nor one in which the fault did not happen.
   */
  async confirmAlone(first: Result): Promise<Result> {
    let result = first;
    const seen = [first].filter(hasDefect);
    for (let run = 0; run < MAX_RUNS; run += 1) {
      result = await this.#runAlone(result);
      const { unmet, isUnclear } = result;
      if (isUnclear) continue;
      if (seen.some((earlier) => sharesDefect(earlier, result))) return this.#withOtherDraw(result);
      if (hasDefect(result)) seen.push(result);
      else if (seen.length === 0 || unmet === undefined) return withoutRepetition(result, seen);
    }
    if (result.unmet !== undefined) return result;
    return seen.length > 1 ? withoutRepetition(result, seen) : withoutTimedVerdict(result);
  }

  /** Confirms what an experiment of several orders showed. What goes wrong with them together counts as joint if each of them is right alone. */
  async #confirmSeveral(first: Result): Promise<Result> {
    const isOpen = mayBeUnfinished(first);
    const seen = isOpen ? onlyResult(await this.#run([drawnAgain(first)], { isPatient: true })) : first;
    if (seen.defect === undefined && (isOpen || isAssessed(seen))) return seen;
    const result = await this.confirmAlone(seen);
    const joint = jointly(result);
    if (joint === undefined) return result;
    // What several orders need for the experiment to happen, one of them does not.
    const { orders, happened: _happened, ...experiment } = drawnAgain(result);
    for (const one of orders) {
      const alone = onlyResult(await this.#run([{ ...experiment, orders: [one] }], { isPatient: true }));
      if (!isAssessed(alone)) return result;
      if (alone.defect !== undefined)
        return withDefect({ ...result, verdicts: [], timeline: timelineOf([result, alone]) }, alone.defect);
    }
    return joint;
  }

  /** Says of a defect that was seen twice whether it depends on the amount, once for each defect. */
  async #withOtherDraw(result: Result): Promise<Result> {
    const { defect, experiment, order } = result;
    const { operation, amount } = order.placed;
    if (defect === undefined || experiment.orders.length > 1 || operation === "sms" || this.#drawn.has(defect.id))
      return result;
    this.#drawn.add(defect.id);
    const other = await this.#drawnOtherwise(result);
    const isWrong = other.defect !== undefined || other.verdicts.some(({ id }) => id === defect.id);
    if (!isAssessed(other) || isWrong || other.order.placed.amount === amount) return result;
    const dependsOn = `with ${inKes(amount)}; with ${inKes(other.order.placed.amount)} it did not`;
    return withDefect(result, { ...defect, seen: `${defect.seen}; ${dependsOn}` });
  }

  /** Runs an experiment with another amount, if the application sells others. */
  async #drawnOtherwise({ experiment, order }: Result): Promise<Result> {
    const orders = experiment.orders.map(withoutDraw);
    const run = async (): Promise<Result> =>
      onlyResult(await this.#run([{ ...experiment, orders }], { isPatient: true }));
    const other = await run();
    return other.order.placed.amount === order.placed.amount ? run() : other;
  }

  async #confirmEach(together: RunResults): Promise<Result[]> {
    const confirmed = new Map<string, Result>();
    const rest: Result[] = [];
    const early = together.results.filter(mayBeUnfinished);
    for (const result of together.results) {
      if (early.includes(result)) continue;
      if (isSettled(result, together)) confirmed.set(result.experiment.id, result);
      else if (!hasDefect(result) && isAssessed(result) && together.imbalance === undefined) rest.push(result);
      else confirmed.set(result.experiment.id, await this.confirmAlone(result));
    }
    for (const result of await this.#confirmInParallel(rest, false)) confirmed.set(result.experiment.id, result);
    for (const result of await this.#confirmInParallel(early, true)) confirmed.set(result.experiment.id, result);
    return together.results.map((result) => confirmed.get(result.experiment.id) ?? result);
  }

  /** Runs experiments again without those whose orders stay open. Runs those alone that another run does not show the same way. */
  async #confirmInParallel(before: readonly Result[], isPatient: boolean): Promise<Result[]> {
    if (before.length === 0) return [];
    const again = await this.#run(before.map(drawnAgain), { isPatient });
    const confirmed: Result[] = [];
    for (const [index, first] of before.entries()) {
      const result = again.results[index] ?? first;
      const isSame = result.defect?.id === first.defect?.id && isClear(result, again) && result.unmet === undefined;
      confirmed.push(isSame ? result : await this.confirmAlone(isPatient ? result : first));
    }
    return confirmed;
  }

  /** Runs an experiment alone. A kind of defect is certain only if it was seen although the application had its full time. */
  async #runAlone(before: Result): Promise<Result> {
    const { experiment, unmet, defect, isUnclear, verdicts } = before;
    // The request to which a fault was to happen may only come later.
    const isAwaited = unmet !== undefined && !breaksDetailsRequest(experiment);
    const isPatient =
      isUnclear ||
      isAwaited ||
      verdicts.some(isOfMoneyUnread) ||
      (defect !== undefined && (defect.id === LEFT_OPEN_ID || !this.#defects.has(defect.id)));
    const result = onlyResult(await this.#run([drawnAgain(before)], { isPatient }));
    if (isPatient && result.defect !== undefined) this.#defects.add(result.defect.id);
    return result;
  }
}

/** The application may only not have come to sending the order again yet. */
const LEFT_OPEN_ID = "refused-left-open";

/** Returns whether the application may have more to do than it had time for. */
function mayBeUnfinished({ defect, isUnclear, verdicts }: Result): boolean {
  const [first] = verdicts;
  return defect === undefined && !isUnclear && first?.is === "risk" && first.id === LEFT_OPEN_ID;
}

/** Returns whether two runs show one defect. What goes wrong with several orders together may show in any of them. */
function sharesDefect(one: Result, other: Result): boolean {
  if (one.experiment.orders.length > 1) return hasDefect(other);
  const ids = defectIdsOf(one);
  return defectIdsOf(other).some((id) => ids.includes(id));
}

/** What follows from a defect may be all that another run shows of it. */
function defectIdsOf({ defect }: Result): string[] {
  const follows = (defect?.follows ?? []).filter(({ is }) => is === "defect");
  return [defect, ...follows].flatMap((one) => one?.id ?? []);
}

/** Returns the last run of an experiment. If others went wrong, each in another way, nothing is certain. */
function withoutRepetition(last: Result, seen: readonly Result[]): Result {
  if (seen.length < 2) return last;
  const ways = seen.map(({ defect }) => `${defect?.title}: ${defect?.seen}`).join("; ");
  return { ...last, ...notAssessed(last, `it went wrong otherwise in each run: ${ways}`), defect: undefined };
}

/** Returns what is told of an order that was accused beside others and not alone. One that only waited for its turn is right. */
function clearedResult(result: Result, accused: Verdict | undefined): Result {
  const isCleared = accused === undefined || isQueueDependent(accused.id) || !isAssessed(result);
  return isCleared ? result : withUnconfirmedDefect(result, accused);
}

/** Returns the experiment of a result with the same draws, so that another run of it can be compared. */
export function drawnAgain({ experiment, draws }: Result): Experiment {
  return withDraws(experiment, draws);
}

function withoutDraw({ draw: _draw, ...order }: Experiment["orders"][number]): Experiment["orders"][number] {
  return order;
}

function inKes(shillings: number): string {
  return `KES ${showKes(cents(shillings * 100))}`;
}

function isAssessed({ isUnclear, unmet, verdicts }: Result): boolean {
  return !isUnclear && unmet === undefined && !verdicts.some(isOfMoneyUnread);
}

/** Returns whether a verdict is that of a check which lacks what the application did not show of its money. */
function isOfMoneyUnread({ is, id }: Verdict): boolean {
  return is === "not assessed" && UNREAD.includes(id);
}

const UNREAD: readonly string[] = ["wrong-debit", "wrong-books"];

function hasDefect({ defect }: Result): boolean {
  return defect !== undefined;
}

/** Returns whether another run would show nothing new. A client that waited for half a minute has no timeout. */
function isSettled(result: Result, together: RunResults): boolean {
  const { defect, unmet, order } = result;
  if (!isClear(result, together)) return false;
  return defect === undefined ? unmet === undefined : defect.id === "waits-forever" && order.truth.waitsForever;
}

/**
 * Returns whether neither a busy machine nor a parallel order may hide a defect. An open order may or may not have been paid for, so it can
 * hide that another was debited incorrectly. Of a part, only the money convicts.
 */
function isClear({ order, isUnclear, verdicts }: Result, { results, isBalanceShared, imbalance }: RunResults): boolean {
  const isPartUnpriced = order.part !== undefined && isBalanceShared && "unasked" in order.debited;
  if (isUnclear || verdicts.some(isOfMoneyUnread) || imbalance !== undefined || isPartUnpriced) return false;
  return (
    !isBalanceShared || order.claimed.claim === "open" || results.every((other) => other.order.claimed.claim !== "open")
  );
}
