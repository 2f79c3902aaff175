import { foldJournal } from "../../account/apply.ts";
import { isBeginning } from "../../account/event-guards.ts";
import type { JournalSlice } from "../../account/readings/journal-slice.ts";
import { matchingRequests, type RequestMatch } from "../../account/readings/match-requests.ts";
import { readRequests, type RequestRow } from "../../account/readings/requests.ts";
import type { AccountState } from "../../account/state.ts";
import type { Exchange, Finding } from "../../findings/finding.ts";
import type { Verdict } from "../report.ts";

/** What a rehearsal left: its journal, and what can be read out of that. */
export interface Evidence {
  readonly kept: JournalSlice;
  readonly state: AccountState;
  readonly findings: readonly Finding[];
  /** Whether nothing of it was evicted. */
  readonly isComplete: boolean;
}

/** Reads a journal, to which the findings in it were found already. */
export function readEvidence(kept: JournalSlice, findings: readonly Finding[]): Evidence {
  const state = foldJournal(kept.events);
  if (state === undefined) throw new Error("a journal has at least one event");
  return { kept, state, findings, isComplete: kept.events.findLast(isBeginning)?.kind === "opened" };
}

export function matchingRows({ kept }: Evidence, match: RequestMatch): RequestRow[] {
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

/** For what cannot be said because the beginning of the journal is gone. */
export const EVICTED = notAssessed("the whole journal; its beginning was evicted, so raise journal.max_transactions or drive less");

/** How many transactions may still change what they cost, or how many callbacks are to come. */
export function countUnsettled({ state }: Evidence): number {
  return state.unresolved;
}

/** For what cannot be said yet. */
export function notSettledYet(count: number): Verdict {
  const what = describeCount(count, "transaction that is not done", "transactions that are not done");
  return notAssessed(`the end of ${what}; add the step "advance: all"`);
}

/** "1 request", "2 requests". */
export function describeCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
