import { isQueueDependent } from "../orders/order-checks.ts";
import type { Verdict } from "../verdict.ts";
import { type Cell, cellOf } from "./cell.ts";
import {
  withUnconfirmedDefect,
  type CellResult,
  type CellRun,
  onlyResult,
  withoutTimedVerdict,
  withDefect,
  withDefectOfAllOrders,
} from "./cell-result.ts";
import type { RunOptions } from "./run-cells.ts";
import { cellsOfOrders } from "./special-trials.ts";

/** The most runs of one cell alone. Only a machine that stays too busy needs all of them. */
const MAX_RUNS = 3;

/** Runs cells again until their verdicts are certain. */
export class Confirmer {
  readonly #run: (cells: readonly Cell[], options?: RunOptions) => Promise<CellRun>;
  readonly #defects = new Set<string>();

  constructor(run: (cells: readonly Cell[], options?: RunOptions) => Promise<CellRun>) {
    this.#run = run;
  }

  /** Confirms what a run showed: each accused order alone. If none is wrong alone, places them together again, with nothing else running. */
  async confirm(together: CellRun): Promise<CellResult[]> {
    const results = await this.#confirmEach(together);
    const accused = results.map(({ defect }, index) =>
      defect === undefined && results.length > 1 ? together.results[index]?.defect : undefined,
    );
    // One order that waits keeps others waiting where one process answers, which no repetition tells from a slow application.
    const isDoubtful =
      together.imbalance !== undefined || accused.some((one) => one !== undefined && !isQueueDependent(one.id));
    if (!isDoubtful || results.some(hasDefect))
      return results.map((result, index) => clearedResult(result, accused[index]));
    const again = await this.#run(results.map(({ cell }) => cell));
    return results.map((result, index) => {
      const { defect } = again.results[index] ?? result;
      const joint =
        defect === undefined || isQueueDependent(defect.id) ? (index === 0 ? again.imbalance : undefined) : defect;
      if (joint === undefined) return clearedResult(result, accused[index] ?? defect);
      return { ...withDefectOfAllOrders(withDefect(again.results[index] ?? result, joint)), together: again };
    });
  }

  /**
   * Runs a cell alone until its verdict is certain. A defect counts once two runs have shown it. Runs on a machine that was too busy do not
   * count.
   */
  async confirmAlone(first: CellResult): Promise<CellResult> {
    let result = first;
    let seen = first.defect === undefined ? 0 : 1;
    for (let run = 0; run < MAX_RUNS; run += 1) {
      result = await this.#runAlone(result);
      if (result.isUnclear) continue;
      if (result.defect === undefined) return result;
      seen += 1;
      if (seen === 2) return result;
    }
    return withoutTimedVerdict(result);
  }

  /** Confirms what a special trial showed. If several orders went wrong together, tries whether each of them is right alone. */
  async confirmSpecial(first: CellResult): Promise<CellResult> {
    const result = await this.confirmAlone(first);
    const joint = withDefectOfAllOrders(result);
    const { orders = [], profileChange, after } = result.cell.special ?? {};
    if (joint === result || orders.length < 2 || profileChange !== undefined || after !== undefined) return result;
    const alone = new Map(
      cellsOfOrders(result.cell)
        .map(({ operation, faults }) => cellOf(operation, faults))
        .map((one) => [one.id, one]),
    );
    for (const one of alone.values()) {
      const run = onlyResult(await this.#run([one], { isPatient: true }));
      if (run.isUnclear || hasDefect(run)) return result;
    }
    return joint;
  }

  async #confirmEach(together: CellRun): Promise<CellResult[]> {
    const confirmed = new Map<string, CellResult>();
    const rest: CellResult[] = [];
    const early = together.results.filter(mayBeUnfinished);
    for (const result of together.results) {
      if (early.includes(result)) continue;
      if (isSettled(result, together)) confirmed.set(result.cell.id, result);
      else if (!hasDefect(result) && result.isPlayed && !result.isUnclear && together.imbalance === undefined)
        rest.push(result);
      else confirmed.set(result.cell.id, await this.confirmAlone(result));
    }
    for (const result of await this.#confirmInParallel(rest, false)) confirmed.set(result.cell.id, result);
    for (const result of await this.#confirmInParallel(early, true)) confirmed.set(result.cell.id, result);
    return together.results.map((result) => confirmed.get(result.cell.id) ?? result);
  }

  /** Runs cells again without those whose orders stay open. Runs those alone that another run does not show the same way. */
  async #confirmInParallel(before: readonly CellResult[], isPatient: boolean): Promise<CellResult[]> {
    if (before.length === 0) return [];
    const again = await this.#run(
      before.map(({ cell }) => cell),
      { isPatient },
    );
    const confirmed: CellResult[] = [];
    for (const [index, first] of before.entries()) {
      const result = again.results[index] ?? first;
      const isSame = result.defect?.id === first.defect?.id && isClear(result, again) && result.isPlayed;
      confirmed.push(isSame ? result : await this.confirmAlone(isPatient ? result : first));
    }
    return confirmed;
  }

  /** Runs a cell alone. A kind of defect is certain only if it was seen although the application had its full time. */
  async #runAlone({ cell, defect, isUnclear }: CellResult): Promise<CellResult> {
    const isPatient =
      isUnclear || (defect !== undefined && (defect.id === LEFT_OPEN_ID || !this.#defects.has(defect.id)));
    const result = onlyResult(await this.#run([cell], { isPatient }));
    if (isPatient && result.defect !== undefined) this.#defects.add(result.defect.id);
    return result;
  }
}

/** The application may only not have come to sending the order again yet. */
const LEFT_OPEN_ID = "refused-left-open";

/** Returns whether the application may have more to do than it had time for. */
function mayBeUnfinished({ defect, isUnclear, verdicts }: CellResult): boolean {
  const [first] = verdicts;
  return defect === undefined && !isUnclear && first?.is === "risk" && first.id === LEFT_OPEN_ID;
}

/** Returns what is told of an order that was accused beside others and is right alone. One that only waited for its turn is right. */
function clearedResult(result: CellResult, accused: Verdict | undefined): CellResult {
  return accused === undefined || isQueueDependent(accused.id) ? result : withUnconfirmedDefect(result, accused);
}

function hasDefect({ defect }: CellResult): boolean {
  return defect !== undefined;
}

/** Returns whether another run would show nothing new. A client that waited for half a minute has no timeout. */
function isSettled(result: CellResult, together: CellRun): boolean {
  const { defect, isPlayed, order } = result;
  if (!isClear(result, together)) return false;
  return defect === undefined ? isPlayed : defect.id === "waits-forever" && order.truth.waitsForever;
}

/**
 * Returns whether neither a busy machine nor a parallel order may hide a defect. An open order may or may not have been paid for, so it can
 * hide that another was debited incorrectly. Of a part, only the money convicts.
 */
function isClear({ order, isUnclear }: CellResult, { results, isBalanceShared, imbalance }: CellRun): boolean {
  if (
    isUnclear ||
    imbalance !== undefined ||
    (order.part !== undefined && isBalanceShared && "missing" in order.debited)
  )
    return false;
  return (
    !isBalanceShared || order.claimed.claim === "open" || results.every((other) => other.order.claimed.claim !== "open")
  );
}
