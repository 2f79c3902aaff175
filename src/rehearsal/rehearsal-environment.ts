import type { AppMap } from "../application/app-map.ts";
import type { AskEnvironment } from "../application/ask.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { RequestMatch } from "../account/readings/match-requests.ts";
import type { Kes } from "../domain/kes.ts";
import type { Comparison } from "../scenario/comparison.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Millis } from "../domain/time.ts";
import type { Pause } from "../ports/pause.ts";
import type { WallClock } from "../ports/wall-clock.ts";

/** Everything a rehearsal needs from outside. */
export interface RehearsalEnvironment extends AskEnvironment {
  /** How to place orders in the application and ask about them. */
  readonly map?: AppMap;
  readonly account: TestedAccount;
  readonly clock: Pick<WallClock, "now">;
  readonly pause: Pause;
  /** Aborts when the rehearsal must stop; the first abort ends an `observe` step early. */
  readonly interruption: AbortSignal;
  readonly seed: number;
  /** The scenarios that the rehearsal names, loaded. */
  readonly scenarios: readonly Scenario[];
  /** The command that runs during each `observe` step. */
  readonly meanwhile?: string;
  /** Reports the current step. */
  readonly onProgress: (words: string) => void;
  /** Reports internal errors that nothing awaits. */
  readonly report: (fault: unknown) => void;
}

/** What a rehearsal can do with an account of a sandbox. */
export interface TestedAccount {
  journal(): Promise<JournalSlice>;
  /** Replaces its journal with these events; due work continues from there. */
  begin(events: readonly AccountEvent[]): Promise<void>;
  /** Advances a manual clock by a duration or to the next due work; answers how much is still pending. */
  advance(by: Millis | "next"): Promise<Advance>;
  /** Waits until every transaction is settled and reported; false if time ran out. */
  drain(within: Millis): Promise<boolean>;
  topUp(amount: Kes): Promise<void>;
  /** Waits until the count of matching requests holds; answers the final count. */
  untilRequests(wanted: { readonly match: RequestMatch; readonly count: Comparison; readonly within: Millis }): Promise<CountResult>;
}

export interface Advance {
  readonly pending: number;
  /** Whether the clock reached its target before the wall time limit. */
  readonly isComplete: boolean;
  /** Whether anything happened; nothing does while callbacks wait for an acknowledgment that never comes. */
  readonly hasMoved: boolean;
}

export interface CountResult {
  readonly holds: boolean;
  readonly actual: number;
}

/** The application or the sandbox does not answer, so the rehearsal cannot run. */
export class ApplicationUnreachable extends Error {}

/** Another rehearsal is using the account. */
export class AccountBusy extends Error {}

/** Somebody else reset or replaced the account during the run. */
export class AccountTakenOver extends Error {
  /** The rehearsal that uses the account now, if it is one. */
  readonly by: string | undefined;

  constructor(by: string | undefined) {
    super();
    this.by = by;
  }
}

/** The rehearsal was stopped by hand. */
export class Interrupted extends Error {}

/** Awaits work; throws `Interrupted` if the rehearsal is stopped first. */
export async function unlessInterrupted<Answer>(
  work: Promise<Answer>,
  { interruption }: Pick<RehearsalEnvironment, "interruption">,
): Promise<Answer> {
  const over = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Interrupted());
    if (interruption.aborted) stop();
    interruption.addEventListener("abort", stop, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    over.abort();
  }
}
