import type * as z from "zod";
import type { ExplorationJson } from "../verdict/exploration/report-json.ts";
import type { testShape } from "../http/control/verdict/callback-doctor.ts";
import type { detectorShape, findingShape } from "../http/control/verdict/findings.ts";
import type { reportsShape } from "../verdict/rehearsal/report-json.ts";

/** The responses of the routes that judge a backend. */
export type CallbackTest = z.output<typeof testShape>;
export type DetectorJson = z.output<typeof detectorShape>;
export type FindingJson = z.output<typeof findingShape>;
export type Reports = z.output<typeof reportsShape>;
export type { ExplorationJson };
/** An exploration without its cells. */
export type ExplorationProgress = Omit<ExplorationJson, "cells">;
