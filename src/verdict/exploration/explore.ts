import { counted } from "../../gateway/domain/counted.ts";
import { formatDuration, type Instant, type Millis } from "../../gateway/domain/time.ts";
import type { ProfileSettings } from "../../gateway/settings/profiles.ts";
import type { Application } from "../application/application.ts";
import type { Report } from "../report/report.ts";
import { NoVerdict, type TrialEnvironment } from "../trial/environment.ts";
import { TimeSheet } from "../time-spent.ts";
import type { VerdictKind } from "../verdict.ts";
import { TrialRunner } from "../trial/run-trial.ts";
import { type BorrowedAccount, withAccount } from "../trial/with-account.ts";
import { Blame, plainOrderAfter } from "./aftermath.ts";
import { reasonToStop, answeredQuestion, runBaseline } from "./baseline.ts";
import { type Bundle, bundle, Parallelism, explainSlowness } from "./bundles.ts";
import { isWithoutOccasion } from "./conditions.ts";
import { Confirmer, drawnAgain } from "./confirm.ts";
import { ApplicationEnded, expectRunning } from "./ended.ts";
import { describePoint, type Experiment, faultsOf } from "./experiment.ts";
import { UNUSUAL_TEXTS } from "./experiments.ts";
import { lookLast } from "./last-look.ts";
import { fastestFirst, firstExperiments, uncovered } from "./plan.ts";
import { isDefectOrRisk, onlyWithProfile, profileExperiments, withoutProfile } from "./profile-experiments.ts";
import { type Progress, tell } from "./progress.ts";
import { provenReplays, type Replay } from "./replay.ts";
import { type LateResults, requestHistory, type Result, type RunResults } from "./result.ts";
import { ExperimentRunner, type RunOptions } from "./run-experiments.ts";

export interface ExploreOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  /** The ids of the faults and the names of the experiments to try. Defaults to all. */
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
  /** The rehearsals that play its defects again: that of the first trial of each defect. Each was played, and showed it. */
  readonly replays: readonly Replay[];
}

/** Tries every fault at every point of an application's orders. An interruption ends it early. Throws `NoVerdict` and what `withAccount` does. */
export function explore(options: ExploreOptions): Promise<Exploration> {
  return withAccount("exploration", options.environment, (borrowed) =>
    new Explorer({ ...options, ...borrowed }).explore(),
  );
}

class Explorer {
  readonly #options: ExploreOptions & BorrowedAccount;
  readonly #startedAt: Instant;
  readonly #time: TimeSheet;
  readonly #trials: TrialRunner;
  readonly #runner: ExperimentRunner;
  readonly #confirmer: Confirmer;
  readonly #blame: Blame;
  readonly #parallelism: Parallelism;
  readonly #kinds = new Set<Bundle["kind"]>();
  /** How long orders were watched before the last look; undefined before that. */
  #watched: Millis | undefined;
  readonly #progress: Progress = {
    doing: "the baseline",
    planned: [],
    results: new Map(),
    runs: 0,
    redundant: 0,
  };

  constructor(options: ExploreOptions & BorrowedAccount) {
    this.#options = options;
    this.#startedAt = options.environment.clock.now();
    this.#time = new TimeSheet(options.environment.clock);
    this.#parallelism = new Parallelism(options.application.map.at_once);
    this.#trials = new TrialRunner({ ...options, time: this.#time });
    this.#runner = new ExperimentRunner({ ...options, runner: this.#trials });
    this.#confirmer = new Confirmer(this.#run);
    const restarted = { map: options.application.map, act: () => this.#trials.restart() };
    this.#blame = new Blame(this.#run, restarted, (run) => this.#confirmer.confirm(run));
  }

  async explore(): Promise<Exploration> {
    const baseline = await this.#runBaseline();
    try {
      await this.#exploreFrom(baseline);
      await this.#time.spend("last_look_ms", () => this.#lookLast());
    } catch (error) {
      for (const result of this.#endWith(error)) this.#record(result);
    }
    const { problems } = this.#tell(true);
    const replays: Replay[] = [];
    try {
      await this.#time.spend("confirming_ms", async () => {
        for await (const replay of provenReplays(problems, this.#progress.results, this.#options)) replays.push(replay);
      });
    } catch (error) {
      if (!this.#options.environment.interruption.aborted) throw error;
    }
    return { report: this.#tell(true), replays };
  }

  /** Throws `NoVerdict` with a report that says why. */
  async #runBaseline(): Promise<Result[]> {
    const { application, environment } = this.#options;
    const run: ExperimentRunner["run"] = async (...asked) =>
      this.#parallelism.noteBaseline(await this.#runner.run(...asked));
    try {
      return await runBaseline(application.operations, {
        runner: { run, learn: (result) => this.#runner.learn(result) },
        patience: () => this.#trials.patience,
        profile: this.#options.profile,
        areTextsTried: this.#options.faults?.includes(UNUSUAL_TEXTS) ?? true,
        application,
        environment,
      });
    } catch (error) {
      if (!(error instanceof NoVerdict) || environment.interruption.aborted) throw error;
      this.#progress.wrongBaseline = error.message;
      throw new NoVerdict(error.message, this.#tell(true));
    }
  }

  async #exploreFrom(baseline: readonly Result[]): Promise<void> {
    for (const result of baseline) {
      this.#record(result);
      const question = answeredQuestion(result);
      if (question !== undefined) this.#trials.questions.plain.leaveOut(question, result.experiment.operation);
      this.#progress.stopped ??= reasonToStop(result);
    }
    const known = new Set(baseline.flatMap(({ points }) => points).map(describePoint));
    let experiments: readonly Experiment[] = firstExperiments(baseline, this.#options);
    const slow = explainSlowness(experiments, this.#options.application, this.#trials.patience);
    if (slow !== undefined) this.#options.onSlow(slow);
    while (experiments.length > 0) {
      this.#plan(experiments);
      const results = await this.#withDetails(fastestFirst(await this.#exploreAll(experiments)));
      const next = uncovered(results, known, this.#options);
      this.#progress.redundant += next.redundant;
      experiments = next.experiments;
    }
    await this.#exploreProfiles();
  }

  /** Plays the other profiles of the gateway last, because only what goes right without them can go wrong because of them. */
  async #exploreProfiles(): Promise<void> {
    const { results } = this.#progress;
    const { operations } = this.#options.application;
    const verdictOf = (id: string): VerdictKind | undefined => results.get(id)?.verdict;
    const experiments = profileExperiments(operations, { ...this.#options, verdictOf });
    this.#plan(experiments);
    for (const experiment of experiments) {
      const [result] = await this.#exploreAll([experiment]);
      if (result === undefined || !isDefectOrRisk(result) || this.#progress.stopped !== undefined) continue;
      const run = await this.#run([withoutProfile(result)], { isPatient: true });
      const wrongAfter = await plainOrderAfter(run, this.#run);
      const [control] = wrongAfter === undefined ? run.results : await this.#blame.find(run, wrongAfter);
      results.set(experiment.id, onlyWithProfile(result, control));
    }
  }

  /** Leaves the application alone for as long as the report says that it was looked at, and asks once more. */
  async #lookLast(): Promise<void> {
    if (this.#isStopped()) return;
    const { application, onProgress } = this.#options;
    this.#progress.doing = "the last look";
    onProgress(this.#tell(false));
    const wait = application.map.settle ?? this.#trials.patience;
    const look = async (experiments: readonly Experiment[]): Promise<LateResults> => {
      const late = await this.#runner.runAndLook(experiments, wait);
      this.#watched = wait;
      return late;
    };
    const { hasStatusOfEach, map } = application;
    const options = { look, areAlone: !hasStatusOfEach, hasBalance: map.balance !== undefined };
    const late = await lookLast(this.#progress.results, options);
    for (const result of late) this.#record(result);
  }

  #plan(experiments: readonly Experiment[]): void {
    this.#progress.planned = [...this.#progress.planned, ...experiments];
  }

  /** Runs one order of each kind alone if parallel orders asked for account details, because such requests name no order. */
  async #withDetails(results: readonly Result[]): Promise<Result[]> {
    const kinds = new Set<string>();
    const exact: Result[] = [];
    for (const result of results) {
      const faults = faultsOf(result.experiment).map(({ fault }) => fault.group);
      const kind = `${faults.join()} ${requestHistory(result)}`;
      const isNew = result.hasExtraDetailsRequests && !kinds.has(kind) && !this.#isStopped();
      if (isNew) kinds.add(kind);
      exact.push(isNew ? await this.#confirmer.confirmAlone(result) : result);
    }
    return exact.filter(({ defect }) => defect === undefined);
  }

  async #exploreAll(experiments: readonly Experiment[]): Promise<Result[]> {
    const { application, onProgress } = this.#options;
    const results: Result[] = [];
    const bundles = bundle(experiments, { areAlone: !application.hasStatusOfEach });
    for (let next = bundles.shift(); next !== undefined; next = bundles.shift()) {
      const [together, ...rest] = this.#parallelism.split(next);
      bundles.unshift(...rest);
      const [first, second] = together?.experiments ?? [];
      if (together === undefined || first === undefined || this.#isStopped()) return results;
      this.#progress.doing =
        second === undefined ? first.words : `${counted(together.experiments.length, "order")} at once`;
      onProgress(this.#tell(false));
      for (const result of await this.#exploreTogether(together)) {
        results.push(result);
        this.#record(result);
      }
    }
    onProgress(this.#tell(false));
    return results;
  }

  #isStopped(): boolean {
    const { budget, environment, isFailFast } = this.#options;
    const progress = this.#progress;
    if (isFailFast === true && [...progress.results.values()].some(({ verdict }) => verdict === "defect"))
      progress.stopped ??= "a defect was found, and --fail-fast ends with the first";
    if (environment.interruption.aborted) progress.stopped ??= "it was interrupted";
    if (environment.clock.now() - this.#startedAt >= budget)
      progress.stopped ??= `the time budget of ${formatDuration(budget)} was used up`;
    return progress.stopped !== undefined;
  }

  /** Runs experiments together, a plain order after them, and what is in doubt again. */
  async #exploreTogether({ kind, experiments }: Bundle): Promise<readonly Result[]> {
    // The first of a kind show how long the application takes to act on its own.
    const isPatient = this.#options.application.map.settle === undefined && !this.#kinds.has(kind);
    this.#kinds.add(kind);
    try {
      const { books } = this.#trials.questions;
      const wereWhole = books.isWhole;
      let run = await this.#run(experiments, { isPatient });
      let wrongAfter = await plainOrderAfter(run, this.#run, this.#blame.isKnownToHalt);
      // That charges were not in the books can only be told since then.
      if (books.isWhole && !wereWhole) {
        run = await this.#run(run.results.map(drawnAgain), { isPatient });
        wrongAfter = await plainOrderAfter(run, this.#run, this.#blame.isKnownToHalt);
      }
      const results = await this.#time.spend("confirming_ms", () =>
        wrongAfter === undefined ? this.#confirmer.confirm(run) : this.#blame.find(run, wrongAfter),
      );
      return this.#parallelism.noteConfirmed(run, results);
    } catch (error) {
      return this.#endWith(error);
    }
  }

  /** Ends the exploration: with the orders during which the application ended, or with what is known when it is interrupted. */
  #endWith(error: unknown): readonly Result[] {
    const isEnded = error instanceof ApplicationEnded;
    const progress = this.#progress;
    if (this.#options.environment.interruption.aborted) progress.stopped = "it was interrupted";
    else if (error instanceof NoVerdict) progress.stopped = error.message;
    else if (isEnded) progress.stopped = `${error.message}; start it again`;
    else throw error;
    return isEnded ? error.results : [];
  }

  readonly #run = async (experiments: readonly Experiment[], options: RunOptions = {}): Promise<RunResults> => {
    // A plain order after a run belongs to it.
    if (options.isContinued !== true) this.#progress.runs += 1;
    const run = await this.#runner.run(experiments, options);
    this.#parallelism.note(run);
    await expectRunning(run.results, this.#options);
    return run;
  };

  /** A fault without occasion was not tried. Nothing that goes wrong under a profile is reported until the same orders were placed without it. */
  #record(result: Result): void {
    const progress = this.#progress;
    const { id } = result.experiment;
    if (isWithoutOccasion(result)) progress.planned = progress.planned.filter((one) => one.id !== id);
    else progress.results.set(id, isDefectOrRisk(result) ? onlyWithProfile(result, undefined) : result);
  }

  #tell(isOver: boolean): Report {
    return tell(this.#progress, isOver, {
      ...this.#options,
      startedAt: this.#startedAt,
      watched: this.#watched ?? this.#trials.calm,
      machine: this.#parallelism.describe(),
      time: this.#time.spent,
    });
  }
}
