import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { Exchange, Severity } from "../checks/finding.ts";

/** "open" is right: nobody could know the outcome, so a person must look. */
export type VerdictKind = "right" | "open" | "not assessed" | Severity;

/** What one check says, in one sentence, with the exchanges that prove it. */
export interface Verdict {
  readonly is: VerdictKind;
  /** The check's id. */
  readonly id: string;
  /** What is wrong. That of an order's check is a clause: "the application …". */
  readonly title: string;
  /** What was seen, or why it was not assessed. */
  readonly seen: string;
  readonly why?: string;
  readonly repair?: string;
  /** What the check assumes, because it only sees traffic. */
  readonly assumes?: string;
  readonly count: number;
  readonly exchanges: readonly Exchange[];
  /** What follows from it. These are no problems of their own. */
  readonly follows: readonly Verdict[];
}

/** The result of one trial: orders placed while a scenario played, or an account that was watched. */
export interface TrialReport {
  /** "airtime-1-reset-after-accept", or the name of a rehearsal. */
  readonly id: string;
  readonly operation?: Operation;
  /** What went wrong, as a clause: "the connection is reset"; or what the trial is. */
  readonly faults: string;
  /** Its positions in the matrix, one for each fault. */
  readonly places: readonly { readonly point: string; readonly fault: string }[];
  /** The verdict that counts for the matrix, with its id: that of the orders, or a defect. */
  readonly verdict: VerdictKind;
  /** Worst first. */
  readonly verdicts: readonly Verdict[];
  readonly phoneNumber?: string;
  readonly timeline: readonly ReportedEntry[];
  readonly durationMillis: Millis;
  /** The number of requests evicted before the report, if any. The timeline starts after them. */
  readonly evicted?: number;
  /** How to play it again, if it is not a file already. */
  readonly replay?: { readonly scenario: Scenario; readonly steps: readonly WrittenStep[] };
  readonly file?: string;
}

/** A step of a rehearsal, as written in its file. */
export type WrittenStep = Readonly<Record<string, unknown>>;

/** The result of an exploration, of rehearsals, or of watching an account. */
export interface Report {
  readonly name: string;
  readonly application?: string;
  /** Wall time. */
  readonly startedAt: Instant;
  readonly durationMillis: Millis;
  readonly seed: number;
  readonly trials: readonly TrialReport[];
  readonly progress: Progress;
  /** What could not be seen, and what it would take. */
  readonly notLookedAt: readonly string[];
}

export interface Progress {
  /** The current activity. */
  readonly doing: string;
  readonly isOver: boolean;
  readonly done: number;
  readonly total: number;
  /** The number of runs, and of faults left out because their exchanges would equal those of an earlier run. */
  readonly runs: number;
  readonly redundant: number;
  /** Why it ended before everything was tried, if it did. */
  readonly stopped?: string;
}

export interface ReportedEntry {
  /** The account's time. */
  readonly at: Instant;
  readonly exchange: Exchange;
  /** "POST /api/v2/airtime 254712345678 KES 100" or "callback 1 to http://…". */
  readonly title: string;
  /** "200 accepted", "402 insufficient funds", "answered 200 in 12 ms". */
  readonly outcome: string;
  readonly isOk: boolean;
  /** The rules that affected it. */
  readonly scripted?: string;
  /** The beginning of an answer that did not acknowledge a callback. */
  readonly answer?: string;
}

/** One defect, or one lesser problem: every trial that shows it by the same cause. */
export interface VerdictProblem {
  readonly is: Severity;
  readonly id: string;
  /** The cause in the words of what happened: "When the connection is reset, the application sends the order again." */
  readonly sentence: string;
  readonly first: Verdict;
  readonly trials: readonly TrialReport[];
}

/** Most severe first. */
export const SEVERITIES = ["defect", "risk", "cost", "hint"] as const satisfies readonly Severity[];

/** Returns the exit code: 1 with a defect (or what `failOn` counts), 3 without a verdict, otherwise 0. */
export function exitCodeOf({ trials }: JudgedTrials, failOn: Severity = "defect"): 0 | 1 | 3 {
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  const isFailed = trials.some(({ verdicts }) => verdicts.some(({ is }) => counted.some((one) => one === is)));
  if (isFailed) return 1;
  const open = trials.filter(({ verdict }) => verdict === "not assessed").length;
  return trials.length === 0 || open > trials.length * MOST_NOT_ASSESSED ? 3 : 0;
}

/** What the exit code of a report depends on, also of one that was read from JSON. */
interface JudgedTrials {
  readonly trials: readonly Readonly<{ verdict: VerdictKind; verdicts: readonly Readonly<{ is: VerdictKind }>[] }>[];
}

/** With more trials without a verdict, "no defect" would say too much. */
const MOST_NOT_ASSESSED = 0.1;
