import { type JournalSlice, numbered } from "../account/readings/journal-slice.ts";
import type { WatchSettings } from "./detector.ts";
import { DETECTORS } from "./detectors.ts";
import type { Finding } from "./finding.ts";
import { Findings } from "./findings.ts";

export interface FindingOptions {
  readonly settings?: WatchSettings;
  /** Ids of detectors to leave out. */
  readonly off?: readonly string[];
  /** Called when a detector throws; that detector is then switched off. */
  readonly report: (fault: unknown) => void;
}

/** The findings of a journal, the same as were found live, except for what was evicted before its first event. */
export function findInJournal(kept: JournalSlice, { settings = {}, off = [], report }: FindingOptions): Finding[] {
  const findings = new Findings({ detectors: DETECTORS.filter(({ id }) => !off.includes(id)), settings, report });
  for (const { event, number } of numbered(kept)) findings.take(event, number);
  return findings.list();
}
