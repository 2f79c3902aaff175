import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { TimelineEntry } from "../rehearsal/report.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { DefectKind } from "../orders/verdicts.ts";

/** A step of a rehearsal, as written in its file. */
export type WrittenStep = Readonly<Record<string, unknown>>;

/** The result of one cell. */
export interface ExploredCell {
  readonly id: string;
  readonly operation: Operation;
  /** What went wrong, as a clause; "nothing goes wrong" in the baseline. */
  readonly faults: string;
  /** Its positions in the matrix, one for each fault. */
  readonly places: readonly { readonly point: string; readonly fault: string }[];
  readonly verdict: "right" | "defect" | "needs a person" | "not assessed";
  readonly kind?: DefectKind;
  /** What was observed, or why it was not assessed. */
  readonly seen?: string;
  readonly follows: readonly string[];
  readonly phoneNumber: string;
  readonly timeline: readonly TimelineEntry[];
  /** For replaying the cell: its scenario, and its orders as rehearsal steps. */
  readonly scenario: Scenario;
  readonly drive: readonly WrittenStep[];
}

/** One kind of defect with every cell that has it. The first cell is reported in detail. */
export interface FoundDefect {
  readonly kind: DefectKind;
  readonly sentence: string;
  readonly repair: string;
  readonly cells: readonly ExploredCell[];
}

export interface Coverage {
  readonly done: number;
  readonly total: number;
}

/** The current state of an exploration. */
export interface Exploration {
  readonly application: string;
  readonly seed: number;
  /** Wall time. */
  readonly startedAt: Instant;
  readonly duration: Millis;
  readonly isOver: boolean;
  /** The current activity. */
  readonly doing: string;
  readonly cells: readonly ExploredCell[];
  readonly singles: Coverage;
  /** The number of runs, and of cells skipped because their exchanges would equal those of an earlier one. */
  readonly runs: number;
  readonly saved: number;
  /** Why the exploration ended before everything was tried, if it did. */
  readonly stopped?: string;
}
