import type { Detector } from "./detector.ts";

/** All that there are; each of them has its file in `detectors/`, its id in `src/domain/detector-ids.ts` and a test of its own. */
export const DETECTORS: readonly Detector[] = [];
