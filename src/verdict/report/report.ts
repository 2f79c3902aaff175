import * as z from "zod";
import { SEVERITIES, type Severity } from "../severities.ts";
import { verdictWithoutExchanges, exchangeReferenceShape, toneShape, verdictKind, verdictShape } from "../verdict.ts";
import { NO_ORDER_ID, NOT_TRIED_ID } from "../verdict-ids.ts";
import { PRODUCTS } from "../../gateway/domain/order.ts";

const entryShape = exchangeReferenceShape.extend({
  at: z.string().describe("ISO 8601, on the account's clock."),
  title: z.string().describe("What was sent: POST /api/v2/airtime 254712345678 KES 100."),
  outcome: z.string().describe("What became of it: 200 accepted, or http://localhost:3000/hook answered 200 (12 ms)."),
  tone: toneShape,
  rules: z.string().optional().describe("The rules that affected it."),
  answer: z.string().optional().describe("The beginning of an answer that did not acknowledge a callback."),
});

export type ReportedEntry = z.output<typeof entryShape>;

const balanceShape = z
  .object({
    first: z.number(),
    last: z.number(),
    lowest: z.number(),
    levels: z
      .array(z.number())
      .describe("The lowest of each part of the journal, of as many parts as a line can show."),
  })
  .describe("The available balance, in shillings, from the beginning of the journal to its end.");

const trialShape = z.object({
  id: z.string().describe("Such as airtime-1-reset-after-accept, or the name of a rehearsal."),
  operation: z.enum(PRODUCTS).optional(),
  faults: z.string().describe("What went wrong, as a clause: the connection is reset."),
  places: z
    .array(z.object({ point: z.string(), fault: z.string() }))
    .describe("Its positions in the matrix, one for each fault."),
  verdict: verdictKind.describe("The verdict that counts for the matrix: that of its orders, or the worst."),
  verdicts: z.array(verdictShape).describe("Worst first."),
  phone_number: z.string().optional().describe("With three digits hidden, as everywhere in a report: 254712***678."),
  exchanges: z.array(entryShape),
  balance: balanceShape.optional(),
  duration_ms: z.number(),
  evicted: z.int().optional().describe("Requests that the journal evicted; the exchanges start after them."),
  file: z.string().optional().describe("The rehearsal file that plays it again."),
});

/** The result of one trial: orders placed while a scenario played, or an account that was watched. */
export type TrialReport = z.output<typeof trialShape>;

const problemShape = verdictShape.omit({ title: true }).extend({
  is: z.enum(SEVERITIES),
  sentence: z.string().describe("The cause, in the words of what happened."),
  exchanges: z
    .array(entryShape.partial({ at: true, outcome: true, tone: true }))
    .describe("The requests and callbacks that prove it, oldest first. Of an evicted one, only the id is known."),
  trials: z.array(z.string()).describe("The ids of the trials that show it. What was seen is of the first."),
  replay: z.string().optional().describe("The command that plays the first trial again."),
});

/** One defect, risk, cost or hint, with every trial that shows it by the same cause. */
export type ReportedProblem = z.output<typeof problemShape>;

const matrixShape = z.object({
  points: z.array(z.string()).describe("Its columns: 1st airtime request."),
  rows: z.array(
    z.object({
      fault: z.string().describe("The id of the fault or of the special trial."),
      words: z.string(),
      group: z.string().describe("The kind of fault."),
      trials: z.array(z.string().nullable()).describe("The id of the trial at each point; null if there was none."),
    }),
  ),
});

export type Matrix = z.output<typeof matrixShape>;

export type PlannedTrial = Pick<TrialReport, "id" | "operation" | "faults" | "places" | "file">;

/** Reports on what a run ended without trying. It counts as not assessed. */
export function untriedTrial(trial: PlannedTrial, reason: string): TrialReport {
  return unassessedTrial(trial, `not tried: ${reason}`, NOT_TRIED_ID);
}

/** Reports on what placed no order. It says nothing of the other trials. */
export function orderlessTrial(trial: PlannedTrial, reason: string): TrialReport {
  return unassessedTrial(trial, `no order was placed: ${reason}`, NO_ORDER_ID);
}

export function unassessedTrial(trial: PlannedTrial, seen: string, id = "order"): TrialReport {
  const verdict = verdictWithoutExchanges({ is: "not assessed", id, title: trial.faults, seen });
  return { ...trial, verdict: verdict.is, verdicts: [verdict], exchanges: [], duration_ms: 0 };
}

export function isUntried({ verdicts }: Pick<TrialReport, "verdicts">): boolean {
  return verdicts.some(({ id }) => id === NOT_TRIED_ID);
}

const timeShape = z
  .object({
    quiet_ms: z.number().optional().describe("Waiting until nothing happened any more."),
    timers_ms: z.number().optional().describe("Waiting for what the application does by its own timers."),
    confirming_ms: z.number().optional().describe("Repeating what went wrong, with all the waiting of that."),
    last_look_ms: z
      .number()
      .optional()
      .describe("Leaving the application alone, and asking once more about orders of each kind."),
    restarting_ms: z.number().optional().describe("Restarting the application."),
  })
  .describe("Where the time went. The rest was placing orders and asking about them.");

/** A report, finished or in progress. An incompatible change gets a new version number. */
export const reportShape = z.object({
  version: z.literal(1).describe("The version of this format: 1."),
  name: z.string(),
  application: z.string().optional(),
  seed: z.int(),
  started_at: z.string().describe("ISO 8601, UTC, wall time."),
  duration_ms: z.number().describe("Wall time."),
  time: timeShape.optional(),
  is_over: z.boolean(),
  summary: z
    .string()
    .describe("The result in one line: No defect; 1 defect, 2 risks; No verdict: 53 of 53 faults not tried."),
  doing: z.string().describe("The current activity."),
  stopped: z
    .string()
    .optional()
    .describe("Why it ended before everything was tried. What was not tried is a trial that is not assessed."),
  machine: z.string().optional().describe("How a busy machine changed the run."),
  done: z.int().describe("The number of faults tried."),
  total: z.int(),
  runs: z.int(),
  redundant: z.int().describe("Faults left out because they would repeat the exchanges of an earlier run."),
  problems: z
    .array(problemShape)
    .describe("Defects, risks, costs and hints; within each, the most money at risk first. One for each cause."),
  matrix: matrixShape,
  not_looked_at: z.array(z.string()).describe("What could not be seen, and what it would take."),
  trials: z.array(trialShape),
});

/** The result of an exploration, of rehearsals, or of watching an account. */
export type Report = z.output<typeof reportShape>;

export function reportJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(reportShape, { target: "draft-7", io: "output" });
  return {
    $schema,
    title: "Kredo report",
    description: "The result of an exploration, of rehearsals, or of watching an account.",
    ...rest,
  };
}

export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Returns the exit code: 1 with a defect (or what `failOn` counts), 3 without a verdict, otherwise 0. */
export function exitCodeOf({ trials }: Pick<Report, "trials">, failOn: Severity = "defect"): 0 | 1 | 3 {
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  const isFailed = trials.some(({ verdicts }) => verdicts.some(({ is }) => counted.some((one) => one === is)));
  if (isFailed) return 1;
  const ordering = trials.filter(({ verdicts }) => !verdicts.some(({ id }) => id === NO_ORDER_ID));
  const unknown = ordering.filter(({ verdict }) => verdict === "not assessed").length;
  return ordering.length === 0 || unknown > ordering.length * MAX_NOT_ASSESSED ? 3 : 0;
}

/** With more trials without a verdict, "no defect" would say too much. */
const MAX_NOT_ASSESSED = 0.1;
