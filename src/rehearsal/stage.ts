import type { AccountEvent } from "../account/events.ts";
import type { KeptEvents } from "../account/readings/kept-events.ts";
import type { RequestMatch } from "../account/readings/match-requests.ts";
import type { Kes } from "../domain/kes.ts";
import type { Comparison, Scenario } from "../domain/scenario.ts";
import type { Millis } from "../domain/time.ts";
import type { CommandRunner } from "../ports/command-runner.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { Pause } from "../ports/pause.ts";
import type { WallClock } from "../ports/wall-clock.ts";

/** All that a rehearsal needs around it. */
export interface Stage {
  readonly account: TestedAccount;
  readonly gateway: GatewayAccess;
  /** Where the application is, without a slash at its end. */
  readonly application?: string;
  readonly call: HttpCaller;
  readonly shell: CommandRunner;
  readonly clock: Pick<WallClock, "now">;
  readonly pause: Pause;
  /** Aborts when the rehearsal is to stop; an `observe` step takes the first time for its own end. */
  readonly interruption: AbortSignal;
  readonly seed: number;
  /** Those that the rehearsal names, read. */
  readonly scenarios: readonly Scenario[];
  /** What an `observe` step runs meanwhile. */
  readonly meanwhile?: string;
  /** Says what is being done. */
  readonly tell: (words: string) => void;
  /** Told of faults of our own that nobody waits for. */
  readonly report: (fault: unknown) => void;
}

/** How the gateway is called in the account's name. */
export interface GatewayAccess {
  /** Without a slash at its end. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** An account of a sandbox, as far as a rehearsal has it in its hands. */
export interface TestedAccount {
  journal(): Promise<KeptEvents>;
  /** Puts these events in the place of its journal; what is due goes on from there. */
  begin(events: readonly AccountEvent[]): Promise<void>;
  /** Moves a manual clock on, by a length of time or over the next things that are due; answers what is still to come. */
  advance(by: Millis | "next"): Promise<Advance>;
  /** Waits until every transaction is done; false when the wall time ran out. */
  drain(within: Millis): Promise<boolean>;
  topUp(amount: Kes): Promise<void>;
  /** Waits until so many requests match; answers how many did in the end. */
  untilRequests(wanted: { readonly match: RequestMatch; readonly count: Comparison; readonly within: Millis }): Promise<Counted>;
}

export interface Advance {
  readonly pending: number;
  /** Whether the clock got where it was sent before the wall time ran out. */
  readonly isComplete: boolean;
}

export interface Counted {
  readonly holds: boolean;
  readonly actual: number;
}

/** The rehearsal could not be carried out, because the application or the sandbox is not there. */
export class Unreachable extends Error {}

/** Another rehearsal has the account. */
export class Occupied extends Error {}

/** The account was begun anew in mid-run by somebody else. */
export class Displaced extends Error {
  /** The rehearsal that it begins for since, if it is one. */
  readonly by: string | undefined;

  constructor(by: string | undefined) {
    super();
    this.by = by;
  }
}

/** It was stopped by hand before it came to its end. */
export class Interrupted extends Error {}

/** Waits for work, but no longer than until the rehearsal is to stop: then throws `Interrupted`. */
export async function unlessInterrupted<Answer>(work: Promise<Answer>, { interruption }: Pick<Stage, "interruption">): Promise<Answer> {
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
