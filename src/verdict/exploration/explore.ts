import { restoredJournal } from "../rehearsal/rehearsal-journal.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { expectRequest } from "../rehearsal/expect-request.ts";
import { runBaseline } from "./baseline.ts";
import { type Bundle, bundle, isSlow } from "./bundles.ts";
import { type Cell, cellOf, describePoint, faultsAt, type Point } from "./cell.ts";
import type { Coverage, Exploration, ExploredCell } from "./exploration.ts";
import { exploredCell, type ExploredResult } from "./explored-cell.ts";
import type { CellResult } from "./cell-result.ts";
import { Confirmer } from "./confirm.ts";
import { ApplicationEnded, expectRunning } from "./ended.ts";
import { type CellRun, CellRunner, type RunnerOptions, type RunOptions } from "./run-cells.ts";

export interface ExploreOptions extends Omit<RunnerOptions, "runId"> {
  /** The ids of the faults to try. Defaults to all. */
  readonly faults?: readonly string[];
  /** Wall time after which no new run starts. */
  readonly budget?: Millis;
  /** Called whenever there is something new. */
  readonly onProgress: (exploration: Exploration) => void;
}

/** Tries every fault at every point of an application's orders. Throws `BaselineFailed`, `ResetFailed` and `Interrupted`. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const { environment, before } = options;
  const { account, clock } = environment;
  const operations = (["airtime", "sms"] as const).filter(
    (operation) => options.application.map.order[operation] !== undefined,
  );
  const [first = "airtime"] = operations;
  const firstAfter = await expectRequest(first, options.application, environment);
  const explorer = new Explorer(options, operations);
  try {
    return await explorer.explore(firstAfter);
  } finally {
    await account.begin(restoredJournal(before, clock.now()));
  }
}

const NOTHING_DONE: Coverage = { done: 0, total: 0 };

/** Later retries and later requests for account details are not explored. */
const DEEPEST_POINT = 2;

class Explorer {
  readonly #options: ExploreOptions;
  readonly #operations: readonly Operation[];
  readonly #runner: CellRunner;
  readonly #startedAt: Instant;
  readonly #cells = new Map<string, ExploredCell>();
  /** The kinds of cells that were run. */
  readonly #kinds = new Set<Bundle["kind"]>();
  readonly #confirmer = new Confirmer((cells, options) => this.#run(cells, options));
  #doing = "the baseline";
  #singles = NOTHING_DONE;
  #runs = 0;
  #saved = 0;
  #stopped: string | undefined;

  constructor(options: ExploreOptions, operations: readonly Operation[]) {
    this.#options = options;
    this.#operations = operations;
    this.#startedAt = options.environment.clock.now();
    this.#runner = new CellRunner({ ...options, runId: `exploration with seed ${options.environment.seed}` });
  }

  async explore(firstAfter: Millis): Promise<Exploration> {
    const baseline = await runBaseline(this.#operations, this.#runner, firstAfter);
    try {
      await this.#exploreFrom(baseline);
    } catch (error) {
      for (const result of this.#endWith(error)) this.#record(result);
    }
    return this.#tell(true);
  }

  async #exploreFrom(baseline: readonly CellResult[]): Promise<void> {
    for (const result of baseline) {
      this.#record(result);
      if (result.defect?.kind === "booked wrongly") this.#runner.leaveOut("books");
      if (result.defect?.kind === "debited wrongly") this.#runner.leaveOut("balance");
    }
    await this.#exploreSingles(baseline.flatMap(({ points }) => points));
  }

  async #exploreSingles(points: readonly Point[]): Promise<void> {
    this.#doing = "single faults";
    const known = new Set(points.map(describePoint));
    let cells = points.flatMap((point) => this.#cellsAt(point, []));
    while (cells.length > 0) {
      this.#singles = { ...this.#singles, total: this.#singles.total + cells.length };
      this.#options.onProgress(this.#tell(false));
      const results = await this.#exploreAll(
        cells,
        () => (this.#singles = { ...this.#singles, done: this.#singles.done + 1 }),
      );
      cells = await this.#uncovered(results, known);
    }
  }

  #cellsAt(point: Point, before: Cell["faults"]): Cell[] {
    const { faults } = this.#options;
    if (point.nth > DEEPEST_POINT) return [];
    return faultsAt(point)
      .filter(({ fault }) => faults === undefined || faults.includes(fault.id))
      .map((placed) => cellOf(point.operation, [...before, placed]));
  }

  /**
   * Returns cells for the points that single faults have uncovered. If several faults led to a point in the same way, continues with the
   * fastest.
   */
  async #uncovered(results: readonly CellResult[], known: ReadonlySet<string>): Promise<Cell[]> {
    const single = results.filter(({ cell, defect }) => defect === undefined && cell.faults.length === 1);
    const ways = new Map<string, Cell[]>();
    const fastFirst = single.toSorted((one, other) => Number(isSlow(one.cell)) - Number(isSlow(other.cell)));
    for (const result of await this.#withDetails(fastFirst)) {
      const { cell, points } = result;
      for (const point of points.filter((one) => !known.has(describePoint(one)))) {
        const cells = this.#cellsAt(point, cell.faults);
        const way = `${describePoint(point)}: ${wayTo(result)}`;
        if (ways.has(way)) this.#saved += cells.length;
        else ways.set(way, cells);
      }
    }
    return [...ways.values()].flat();
  }

  /** Runs one order of each kind alone if parallel orders asked for account details, because such requests name no order. */
  async #withDetails(results: readonly CellResult[]): Promise<CellResult[]> {
    const kinds = new Set<string>();
    const exact: CellResult[] = [];
    for (const result of results) {
      const kind = `${result.cell.faults.map(({ fault }) => fault.group).join()} ${wayTo(result)}`;
      const isNew = result.asksMore && !kinds.has(kind) && !this.#isStopped();
      if (isNew) kinds.add(kind);
      exact.push(isNew ? await this.#confirmer.confirmAlone(result) : result);
    }
    return exact.filter(({ defect }) => defect === undefined);
  }

  async #exploreAll(cells: readonly Cell[], onDone: () => void): Promise<CellResult[]> {
    const results: CellResult[] = [];
    this.#options.onProgress(this.#tell(false));
    for (const together of bundle(cells)) {
      if (this.#isStopped()) return results;
      const isFirst = this.#options.application.map.settle === undefined && !this.#kinds.has(together.kind);
      this.#kinds.add(together.kind);
      for (const result of await this.#exploreTogether(together.cells, isFirst)) {
        results.push(result);
        onDone();
        this.#record(result);
      }
      this.#options.onProgress(this.#tell(false));
    }
    return results;
  }

  #isStopped(): boolean {
    const { budget, environment } = this.#options;
    const isOverBudget = budget !== undefined && environment.clock.now() - this.#startedAt >= budget;
    if (isOverBudget) this.#stopped ??= "the time budget was used up";
    return this.#stopped !== undefined;
  }

  /** Runs cells together. The first cells of a kind show how long the application takes to act on its own. */
  async #exploreTogether(cells: readonly Cell[], isFirst: boolean): Promise<readonly ExploredResult[]> {
    try {
      return await this.#confirmer.confirm(await this.#run(cells, { isPatient: isFirst }));
    } catch (error) {
      return this.#endWith(error);
    }
  }

  /** Ends the exploration with the orders during which the application ended. */
  #endWith(error: unknown): readonly CellResult[] {
    if (!(error instanceof ApplicationEnded)) throw error;
    this.#stopped = `${error.message}; start it again`;
    return error.results;
  }

  async #run(cells: readonly Cell[], options: RunOptions = {}): Promise<CellRun> {
    this.#runs += 1;
    const run = await this.#runner.run(cells, options);
    await expectRunning(run.results, this.#options);
    return run;
  }

  #record(result: ExploredResult): void {
    this.#cells.set(result.cell.id, exploredCell(result));
  }

  #tell(isOver: boolean): Exploration {
    const { application, environment } = this.#options;
    return {
      application: application.url,
      seed: environment.seed,
      startedAt: this.#startedAt,
      duration: environment.clock.now() - this.#startedAt,
      isOver,
      doing: this.#doing,
      cells: [...this.#cells.values()],
      singles: this.#singles,
      runs: this.#runs,
      saved: this.#saved,
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
    };
  }
}

/** Returns what the application knew when it sent the order again: that it was refused, or nothing. */
function wayTo({ cell, order }: CellResult): string {
  return [cell.operation, ...order.truth.requests.map(({ kind }) => kind)].join(" ");
}
