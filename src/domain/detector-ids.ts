/** The ids of all detectors, for the files that name them; `src/findings/detectors.ts` has the detectors themselves. */
export const DETECTOR_IDS = [
  "callback-answered-differently",
  "callback-answered-late",
  "callback-not-acknowledged",
  "callback-redirected",
  "callback-unreachable",
  "costly-characters",
  "credentials-in-url",
  "details-polled",
  "double-spend",
  "fails-on-early-callback",
  "fails-on-malformed",
  "fails-on-unknown-request-id",
  "loose-form",
  "new-connections",
  "no-back-off",
  "repeated-order",
  "requests-burst",
  "sent-after-401",
  "sent-after-402",
  "slow-receiver",
] as const;

export type DetectorId = (typeof DETECTOR_IDS)[number];
