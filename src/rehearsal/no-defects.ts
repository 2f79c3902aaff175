import type { FindingsExpected } from "./rehearsal.ts";

/** What is expected of findings where nobody says anything else: a defect is never to pass unseen. */
export const NO_DEFECTS: FindingsExpected = { kind: "findings", noneOf: ["defect"], none: [], some: [] };
