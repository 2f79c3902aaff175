import { foldJournal } from "../../../gateway/account/apply.ts";
import { isBeginning } from "../../../gateway/account/event-guards.ts";
import type { JournalSlice } from "../../../gateway/account/readings/journal-slice.ts";
import { matchingRequests, type RequestFilter } from "../../../gateway/account/readings/match-requests.ts";
import { readRequests, type RequestRow } from "../../../gateway/account/readings/requests.ts";
import type { AccountState } from "../../../gateway/account/state.ts";
import type { Exchange, Finding } from "../../checks/finding.ts";
import type { Verdict } from "../report.ts";

/** The evidence that a rehearsal leaves: its journal, and what can be read from it. */
export interface Evidence {
  readonly kept: JournalSlice;
  readonly state: AccountState;
  readonly findings: readonly Finding[];
  /** Whether no events were evicted. */
  readonly isComplete: boolean;
}

/** Reads a journal whose findings are already known. */
export function readEvidence(kept: JournalSlice, findings: readonly Finding[]): Evidence {
  const state = foldJournal(kept.events);
  if (state === undefined) throw new Error("a journal has at least one event");
  return { kept, state, findings, isComplete: kept.events.findLast(isBeginning)?.kind === "opened" };
}

export function matchingRows({ kept }: Evidence, match: RequestFilter): RequestRow[] {
  return matchingRequests(readRequests(kept), match);
}

export function exchangeOf({ requestId }: { readonly requestId: string }): Exchange {
  return { kind: "request", requestId };
}

export function passed(seen: string): Verdict {
  return { is: "passed", seen };
}

export function failed(seen: string, exchanges: readonly Exchange[] = []): Verdict {
  return { is: "failed", seen, exchanges };
}

export function notAssessed(needs: string): Verdict {
  return { is: "not assessed", needs };
}

/** The verdict if the beginning of the journal is missing. */
export const EVICTED = notAssessed(
  "the complete journal; its beginning was evicted, so raise journal.max_transactions or send fewer requests",
);

/** Returns the number of transactions whose cost or callbacks are still pending. */
export function countUnsettled({ state }: Evidence): number {
  return state.unresolved;
}

/** The verdict if transactions are still pending. */
export function notSettledYet(count: number): Verdict {
  const what = describeCount(count, "transaction that is not done", "transactions that are not done");
  return notAssessed(`the end of ${what}; add the step "advance: all"`);
}

/** Formats a count: "1 request", "2 requests". */
export function describeCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
