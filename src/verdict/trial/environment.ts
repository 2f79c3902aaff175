import { addAbortListener } from "node:events";
import type { AskEnvironment } from "../application/ask.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Report } from "../report/report.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Pause, WallClock } from "../../gateway/ports/wall-clock.ts";

export interface TrialEnvironment extends AskEnvironment {
  readonly account: TestedAccount;
  readonly clock: Pick<WallClock, "now">;
  readonly pause: Pause;
  readonly seed: number;
  /** Reports internal errors that nothing awaits. */
  readonly report: (fault: unknown) => void;
}

export interface TestedAccount {
  /** Its journal: the same object again for as long as nothing has happened. */
  journal(): Promise<JournalSlice>;
  /** Replaces its journal with these events; due work continues from there. */
  begin(events: readonly AccountEvent[]): Promise<void>;
  /** Advances a manual clock by a duration or to the next due work. Resolves to how much is still pending. */
  advance(by: Millis | "next"): Promise<Advance>;
  /** Waits until every transaction is settled and reported. Resolves to false if the time ran out. */
  drain(within: Millis): Promise<boolean>;
  topUp(amount: Kes): Promise<void>;
  /** Waits until so many requests for this number have arrived, or the time ran out. */
  untilRequested(phoneNumber: string, within: Millis, requests: number): Promise<void>;
}

export interface Advance {
  readonly pending: number;
  /** Whether the clock reached its target within the wall-time limit. */
  readonly isComplete: boolean;
  /** Whether anything happened. Nothing does while callbacks wait for an acknowledgment that never arrives. */
  readonly hasMoved: boolean;
}

/** Thrown if there can be no verdict: a plain order already goes wrong, or reset fails. The message says why and how to repair it. */
export class NoVerdict extends Error {
  /** What is known all the same. */
  readonly report: Report | undefined;

  constructor(message: string, report?: Report) {
    super(message);
    this.report = report;
  }
}

export class AccountBusy extends Error {}

/** Thrown if the account was reset or replaced during the run. */
export class AccountTakenOver extends Error {
  /** The rehearsal that is using the account now, if there is one. */
  readonly by: string | undefined;

  constructor(by: string | undefined) {
    super();
    this.by = by;
  }
}

/** Thrown if the account could not get its own settings back. A reset of the account restores them. */
export class NotRestored extends Error {}

/** Awaits work. Throws the interruption's reason if the rehearsal is stopped first. */
export function unlessInterrupted<Answer>(
  work: Promise<Answer>,
  { interruption }: Pick<TrialEnvironment, "interruption">,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const listening = addAbortListener(interruption, () => reject(interruption.reason));
    void work.then(resolve, reject).then(() => listening[Symbol.dispose]());
  });
}
