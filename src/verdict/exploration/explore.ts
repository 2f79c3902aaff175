import { type Operation, PRODUCTS } from "../../gateway/domain/order.ts";
import { formatDuration, formatInstant, type Instant, type Millis } from "../../gateway/domain/time.ts";
import type { ProfileSettings } from "../../gateway/settings/profiles.ts";
import type { Application } from "../application/application.ts";
import { createReport } from "../report/problems.ts";
import { type Report, type TrialReport, unassessedTrial, untriedTrial } from "../report/report.ts";
import type { VerdictKind } from "../verdict.ts";
import { NoVerdict, type TrialEnvironment } from "../trial/environment.ts";
import { TrialRunner } from "../trial/run-trial.ts";
import { type BorrowedAccount, withAccount } from "../trial/with-account.ts";
import { reasonToStop, answeredQuestion, runBaseline } from "./baseline.ts";
import { type Bundle, bundle, isSlow, Parallelism, explainSlowness } from "./bundles.ts";
import { type Cell, cellOf, describeFaults, describePoint, faultsAt, type Point } from "./cell.ts";
import { type CellResult, type CellRun, requestHistory } from "./cell-result.ts";
import { Confirmer } from "./confirm.ts";
import { ApplicationEnded, expectRunning } from "./ended.ts";
import { exploredCell, plannedCell, type Replay, replayOf } from "./explored-cell.ts";
import { describeUnexplored } from "./unexplored.ts";
import { isDefectOrRisk, profileCells, onlyWithProfileChange, withoutProfileChange } from "./profile-cells.ts";
import { CellRunner, type RunOptions } from "./run-cells.ts";
import { specialCells } from "./special-trials.ts";

export interface ExploreOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  /** The ids of the faults and special trials to try. Defaults to all. */
  readonly faults?: readonly string[];
  /** Wall time after which no new run starts. */
  readonly budget: Millis;
  readonly isFailFast?: boolean;
  /** How the gateway's settings say that it behaves. Defaults to the specification. */
  readonly profile?: ProfileSettings;
  readonly onProgress: (report: Report) => void;
  /** Called at the start if the application makes it take long. */
  readonly onSlow: (words: string) => void;
}

export interface Exploration {
  readonly report: Report;
  /** The rehearsals that play its defects again: that of the first trial of each defect. */
  readonly replays: readonly Replay[];
}

/** Tries every fault at every point of an application's orders. An interruption ends it early. Throws `NoVerdict` and what `withAccount` does. */
export function explore(options: ExploreOptions): Promise<Exploration> {
  return withAccount("exploration", options.environment, (borrowed) =>
    new Explorer({ ...options, ...borrowed }).explore(),
  );
}

/** Later retries and later requests for account details are not explored. */
const DEEPEST_POINT = 2;

class Explorer {
  readonly #options: ExploreOptions & BorrowedAccount;
  readonly #operations: readonly Operation[];
  readonly #trials: TrialRunner;
  readonly #runner: CellRunner;
  readonly #startedAt: Instant;
  readonly #results = new Map<string, CellResult>();
  readonly #kinds = new Set<Bundle["kind"]>();
  readonly #confirmer = new Confirmer((cells, options) => this.#run(cells, options));
  readonly #planned: Cell[] = [];
  readonly #parallelism = new Parallelism();
  #doing = "the baseline";
  #done = 0;
  #runs = 0;
  #redundant = 0;
  #stopped: string | undefined;
  #wrongBaseline: string | undefined;

  constructor(options: ExploreOptions & BorrowedAccount) {
    const { order } = options.application.map;
    this.#options = options;
    this.#operations = PRODUCTS.filter((operation) => order[operation] !== undefined);
    this.#startedAt = options.environment.clock.now();
    this.#trials = new TrialRunner(options);
    this.#runner = new CellRunner({ ...options, runner: this.#trials });
  }

  async explore(): Promise<Exploration> {
    const baseline = await this.#runBaseline();
    try {
      await this.#exploreFrom(baseline);
    } catch (error) {
      for (const result of this.#endWith(error)) this.#record(result);
    }
    const report = this.#tell(true);
    const replays = report.problems.flatMap(({ is, trials }) => {
      const results = is === "defect" ? trials.map((id) => this.#results.get(id)) : [];
      return results.map((result) => result && replayOf(result, report.seed)).find((replay) => replay) ?? [];
    });
    return { report, replays };
  }

  /** Throws `NoVerdict` with a report that says why. */
  async #runBaseline(): Promise<CellResult[]> {
    const { application, environment } = this.#options;
    const run: CellRunner["run"] = async (...asked) => this.#parallelism.noteBaseline(await this.#runner.run(...asked));
    try {
      return await runBaseline(this.#operations, {
        runner: { run, learn: (result) => this.#runner.learn(result) },
        patience: () => this.#trials.patience,
        profile: this.#options.profile,
        application,
        environment,
      });
    } catch (error) {
      if (!(error instanceof NoVerdict) || environment.interruption.aborted) throw error;
      this.#wrongBaseline = error.message;
      throw new NoVerdict(error.message, this.#tell(true));
    }
  }

  async #exploreFrom(baseline: readonly CellResult[]): Promise<void> {
    for (const result of baseline) {
      this.#record(result);
      const question = answeredQuestion(result);
      if (question !== undefined) this.#trials.questions.leaveOut(question, result.cell.operation);
      this.#stopped ??= reasonToStop(result);
    }
    const points = baseline.flatMap(({ points }) => points);
    const known = new Set(points.map(describePoint));
    const { faults, application } = this.#options;
    const special = this.#operations
      .flatMap((operation) => specialCells(operation, application.map))
      .filter((cell) => cell.special !== undefined && (faults === undefined || faults.includes(cell.special.id)));
    let cells = [...points.flatMap((point) => this.#cellsAt(point, [])), ...special];
    const slow = explainSlowness(cells, this.#options.application, this.#trials.patience);
    if (slow !== undefined) this.#options.onSlow(slow);
    while (cells.length > 0) {
      this.#planned.push(...cells);
      const results = await this.#exploreAll(cells);
      cells = await this.#uncovered(results, known);
    }
    await this.#exploreProfiles();
  }

  /** Plays the other profiles of the gateway last, because only what goes right without them can go wrong because of them. */
  async #exploreProfiles(): Promise<void> {
    const verdictOf = (id: string): VerdictKind | undefined => this.#results.get(id)?.verdict;
    const cells = profileCells(this.#operations, { ...this.#options, verdictOf });
    this.#planned.push(...cells);
    for (const cell of cells) {
      const [result] = await this.#exploreAll([cell]);
      if (result === undefined || !isDefectOrRisk(result) || this.#stopped !== undefined) continue;
      const control = await this.#run([withoutProfileChange(cell)], { isPatient: true });
      this.#results.set(cell.id, onlyWithProfileChange(result, control.results[0]));
    }
  }

  #cellsAt(point: Point, before: Cell["faults"]): Cell[] {
    const { faults, application } = this.#options;
    if (point.nth > DEEPEST_POINT) return [];
    const hasReceiver = application.map.callbacks[point.operation] !== undefined;
    return faultsAt(point)
      .filter(({ fault }) => faults === undefined || faults.includes(fault.id))
      .filter(({ fault }) => hasReceiver || fault.group !== "callback")
      .map((placed) => cellOf(point.operation, [...before, placed]));
  }

  /**
   * Returns cells for the points that faults have uncovered. If several faults led to a point in the same way, continues with the fastest.
   */
  async #uncovered(results: readonly CellResult[], known: ReadonlySet<string>): Promise<Cell[]> {
    const single = results.filter(({ cell, defect }) => defect === undefined && cell.faults.length === 1);
    const ways = new Map<string, Cell[]>();
    const fastFirst = single.toSorted((one, other) => Number(isSlow(one.cell)) - Number(isSlow(other.cell)));
    for (const result of await this.#withDetails(fastFirst)) {
      const { cell, points } = result;
      for (const point of points.filter((one) => !known.has(describePoint(one)))) {
        const cells = this.#cellsAt(point, cell.faults);
        const way = `${describePoint(point)}: ${requestHistory(result)}`;
        if (ways.has(way)) this.#redundant += cells.length;
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
      const kind = `${result.cell.faults.map(({ fault }) => fault.group).join()} ${requestHistory(result)}`;
      const isNew = result.hasExtraDetailsRequests && !kinds.has(kind) && !this.#isStopped();
      if (isNew) kinds.add(kind);
      exact.push(isNew ? await this.#confirmer.confirmAlone(result) : result);
    }
    return exact.filter(({ defect }) => defect === undefined);
  }

  async #exploreAll(cells: readonly Cell[]): Promise<CellResult[]> {
    const { application, onProgress } = this.#options;
    const results: CellResult[] = [];
    const bundles = bundle(cells, { areAlone: !application.hasStatusOfEach });
    for (let next = bundles.shift(); next !== undefined; next = bundles.shift()) {
      const [together, ...rest] = this.#parallelism.split(next);
      bundles.unshift(...rest);
      const [first] = together?.cells ?? [];
      if (together === undefined || first === undefined || this.#isStopped()) return results;
      this.#doing = together.cells.length === 1 ? describeFaults(first) : `${together.cells.length} orders at once`;
      onProgress(this.#tell(false));
      const isFirst = application.map.settle === undefined && !this.#kinds.has(together.kind);
      this.#kinds.add(together.kind);
      for (const result of await this.#exploreTogether(together.cells, isFirst)) {
        results.push(result);
        this.#done += 1;
        this.#record(result);
      }
    }
    onProgress(this.#tell(false));
    return results;
  }

  #isStopped(): boolean {
    const { budget, environment, isFailFast } = this.#options;
    if (isFailFast === true && [...this.#results.values()].some(({ verdict }) => verdict === "defect"))
      this.#stopped ??= "a defect was found, and --fail-fast ends with the first";
    if (environment.interruption.aborted) this.#stopped ??= "it was interrupted";
    if (environment.clock.now() - this.#startedAt >= budget)
      this.#stopped ??= `the time budget of ${formatDuration(budget)} was used up`;
    return this.#stopped !== undefined;
  }

  /** Runs cells together. The first cells of a kind show how long the application takes to act on its own. */
  async #exploreTogether(cells: readonly Cell[], isFirst: boolean): Promise<readonly CellResult[]> {
    try {
      const run = await this.#run(cells, { isPatient: isFirst });
      if (cells.length > 1 || cells[0]?.special === undefined)
        return this.#parallelism.noteConfirmed(run, await this.#confirmer.confirm(run));
      const [result] = run.results;
      if (result?.defect === undefined) return run.results;
      return [await this.#confirmer.confirmSpecial(result)];
    } catch (error) {
      return this.#endWith(error);
    }
  }

  /** Ends the exploration: with the orders during which the application ended, or with what is known when it is interrupted. */
  #endWith(error: unknown): readonly CellResult[] {
    const isEnded = error instanceof ApplicationEnded;
    if (this.#options.environment.interruption.aborted) this.#stopped = "it was interrupted";
    else if (error instanceof NoVerdict) this.#stopped = error.message;
    else if (isEnded) this.#stopped = `${error.message}; start it again`;
    else throw error;
    return isEnded ? error.results : [];
  }

  async #run(cells: readonly Cell[], options: RunOptions = {}): Promise<CellRun> {
    this.#runs += 1;
    const run = await this.#runner.run(cells, options);
    this.#parallelism.note(run);
    await expectRunning(run.results, this.#options);
    return run;
  }

  /** Nothing that goes wrong under a profile is reported until the same orders were placed without it. */
  #record(result: CellResult): void {
    this.#results.set(result.cell.id, isDefectOrRisk(result) ? onlyWithProfileChange(result, undefined) : result);
  }

  #tell(isOver: boolean): Report {
    const { application, environment } = this.#options;
    return createReport({
      name: `exploration of ${application.url}`,
      application: application.url,
      started_at: formatInstant(this.#startedAt),
      duration_ms: Math.round(environment.clock.now() - this.#startedAt),
      seed: environment.seed,
      doing: this.#doing,
      is_over: isOver,
      done: this.#done,
      total: this.#planned.length,
      runs: this.#runs,
      redundant: this.#redundant,
      stopped: this.#stopped,
      trials: [...[...this.#results.values()].map(exploredCell), ...(isOver ? this.#untried() : [])],
      not_looked_at: describeUnexplored(application.map, this.#trials.patience, this.#options.faults),
      machine: this.#parallelism.describe(),
    });
  }

  #untried(): TrialReport[] {
    const wrong = this.#wrongBaseline;
    if (wrong !== undefined)
      return this.#operations.map((operation) => unassessedTrial(plannedCell(cellOf(operation, [])), wrong));
    const { faults = [] } = this.#options;
    if (this.#planned.length === 0)
      return faults.map((id) => untriedTrial({ id, faults: id, places: [] }, NO_OCCASION));
    const left = this.#planned.filter(({ id }) => !this.#results.has(id));
    return left.map((cell) => untriedTrial(plannedCell(cell), this.#stopped ?? "the exploration ended"));
  }
}

const NO_OCCASION = "the app map and the gateway's settings give no occasion for it";
