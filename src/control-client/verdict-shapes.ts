import type * as z from "zod";
import type { explorationShape } from "../verdict/exploration/report-json.ts";
import type { testShape } from "../http/control/verdict/callback-doctor.ts";
import type { detectorShape, findingShape } from "../http/control/verdict/findings.ts";
import type { reportsShape } from "../verdict/rehearsal/report-json.ts";

/** The responses of the endpoints that judge a backend. */
export type CallbackTest = z.output<typeof testShape>;
export type Detector = z.output<typeof detectorShape>;
export type Finding = z.output<typeof findingShape>;
export type Reports = z.output<typeof reportsShape>;
export type Exploration = z.output<typeof explorationShape>;
/** An exploration without its cells. */
export type ExplorationProgress = Omit<Exploration, "cells">;
