import { formatInstant, type Instant, type Millis } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import { createReport } from "../report/problems.ts";
import { type Report, type TrialReport, unassessedTrial, untriedTrial } from "../report/report.ts";
import type { TrialEnvironment } from "../trial/environment.ts";
import { type Experiment, experimentWith } from "./experiment.ts";
import { planTrial, reportTrial } from "./replay.ts";
import type { TimeSpent } from "../time-spent.ts";
import type { Result } from "./result.ts";
import { describeUnexplored } from "./unexplored.ts";

/** What is known of an exploration while it runs. */
export interface Progress {
  /** The current activity. */
  doing: string;
  planned: readonly Experiment[];
  /** By the id of the experiment. */
  readonly results: Map<string, Result>;
  runs: number;
  redundant: number;
  /** Why it ended before everything was tried. */
  stopped?: string | undefined;
  wrongBaseline?: string;
}

interface TellOptions {
  readonly application: Application;
  readonly environment: Pick<TrialEnvironment, "clock" | "seed">;
  readonly faults?: readonly string[];
  readonly startedAt: Instant;
  /** How long orders were watched after their end. */
  readonly watched: Millis;
  readonly machine: string | undefined;
  readonly time: TimeSpent;
}

/** Reports what is known. */
export function tell(progress: Progress, isOver: boolean, options: TellOptions): Report {
  const { application, environment, faults, startedAt, watched, machine, time } = options;
  const { doing, planned, results, runs, redundant, stopped } = progress;
  return createReport({
    name: `exploration of ${application.url}`,
    application: application.url,
    started_at: formatInstant(startedAt),
    duration_ms: Math.round(environment.clock.now() - startedAt),
    seed: environment.seed,
    doing,
    is_over: isOver,
    done: planned.filter(({ id }) => results.has(id)).length,
    total: planned.length,
    runs,
    redundant,
    stopped,
    trials: [...[...results.values()].map(reportTrial), ...(isOver ? untried(progress, options) : [])],
    not_looked_at: describeUnexplored(application.map, watched, faults),
    machine,
    time,
  });
}

function untried(progress: Progress, { application, faults = [] }: TellOptions): TrialReport[] {
  const { planned, results, stopped, wrongBaseline } = progress;
  if (wrongBaseline !== undefined)
    return application.operations.map((operation) =>
      unassessedTrial(planTrial(experimentWith(operation, [])), wrongBaseline),
    );
  if (planned.length === 0) return faults.map((id) => untriedTrial({ id, faults: id, places: [] }, NO_OCCASION));
  const left = planned.filter(({ id }) => !results.has(id));
  return left.map((experiment) => untriedTrial(planTrial(experiment), stopped ?? "the exploration ended"));
}

const NO_OCCASION = "the app map and the gateway's settings give no occasion for it";
