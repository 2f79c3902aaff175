import type * as z from "zod";
import type { DiagnosisJson } from "../doctor/diagnose.ts";
import type { findingShape } from "./findings.ts";
import type { reportShape, ReportedProblem, TrialReport } from "../report/report.ts";

/** The responses of the routes that judge a backend. */
export type { DiagnosisJson, ReportedProblem, TrialReport };
export type FindingJson = z.output<typeof findingShape>;
/** The report on an account, on rehearsals, or on an exploration. */
export type ReportJson = z.output<typeof reportShape>;
export type ExplorationProgress = Omit<ReportJson, "trials">;
