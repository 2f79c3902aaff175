import { type KeptEvents, numbered } from "../account/readings/kept-events.ts";
import type { WatchSettings } from "./detector.ts";
import { DETECTORS } from "./detectors.ts";
import type { Finding } from "./finding.ts";
import { Findings } from "./findings.ts";

export interface FindingOptions {
  readonly settings?: WatchSettings;
  /** Ids of detectors that do not watch. */
  readonly off?: readonly string[];
  /** Told of a detector that threw; it watches no more. */
  readonly report: (fault: unknown) => void;
}

/** The findings of a journal, as they were found live; what was evicted before its first event is not among them. */
export function findInJournal(kept: KeptEvents, { settings = {}, off = [], report }: FindingOptions): Finding[] {
  const findings = new Findings({ detectors: DETECTORS.filter(({ id }) => !off.includes(id)), settings, report });
  for (const { event, number } of numbered(kept)) findings.take(event, number);
  return findings.list();
}
