import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import { findInJournal } from "../../src/verdict/checks/findings.ts";
import { type Evidence, readEvidence } from "../../src/verdict/rehearsal/grade/evidence.ts";
import { opened } from "./finding-events.ts";

/** What a rehearsal left that went like this. */
export function evidenceOf(events: readonly AccountEvent[]): Evidence {
  const kept = { first: 1, events: [opened(), ...events] };
  return readEvidence(kept, findInJournal(kept, { report: failOn }));
}

/** The same with its beginning evicted. */
export function withoutBeginning(evidence: Evidence): Evidence {
  return { ...evidence, isComplete: false };
}

/** For what reports faults that a test must not have. */
export function failOn(fault: unknown): never {
  throw fault;
}
