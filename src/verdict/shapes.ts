import type * as z from "zod";
import type { ExplorationJson } from "./exploration/report-json.ts";
import type { testShape } from "./endpoints/callback-doctor.ts";
import type { detectorShape, findingShape } from "./endpoints/findings.ts";
import type { reportsShape } from "./rehearsal/report-json.ts";

/** The responses of the routes that judge a backend. */
export type CallbackTest = z.output<typeof testShape>;
export type DetectorJson = z.output<typeof detectorShape>;
export type FindingJson = z.output<typeof findingShape>;
export type Reports = z.output<typeof reportsShape>;
export type { ExplorationJson };
/** An exploration without its cells. */
export type ExplorationProgress = Omit<ExplorationJson, "cells">;
