import { CLIENT_PATIENCE, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { sentAt } from "../checks/sent-at.ts";
import { type TrialEnvironment, unlessInterrupted } from "./environment.ts";

export interface QuietOptions {
  readonly environment: Pick<TrialEnvironment, "account" | "clock" | "pause" | "interruption">;
  /** Whether the account's clock must be advanced for anything to happen. */
  readonly isManual: boolean;
  /** Whether the application still has to answer orders. It may be waiting for the gateway. */
  readonly isPlacing?: () => boolean;
  /** Wall time without events after which no more are expected. */
  readonly settle: (kept: JournalSlice) => Millis;
  /** Whether everything is as it should be, so that there is nothing left to wait for. Called while there are no new events. */
  readonly isOver?: (kept: JournalSlice) => Promise<boolean>;
  /** Makes the application run its jobs now. Called once after each change. */
  readonly tick?: () => Promise<unknown>;
}

/** An application that never comes to rest is judged as it is after this time. */
const LONGEST: Millis = 2 * MINUTE;

/** At ten bytes a second, a dripped answer is shorter than this. */
const LONGEST_DRIP: Millis = 13 * SECOND;

/** Wall time between two checks of the journal. */
const LOOK: Millis = 20;

/**
 * Lets everything happen that the requests so far lead to: results, callbacks, the application's jobs and retries. Resolves when there are
 * no more new events.
 */
export async function untilQuiet(options: QuietOptions): Promise<JournalSlice> {
  const { environment, isManual, isOver = async () => false, tick } = options;
  const { account, clock, pause, interruption } = environment;
  const quiet = new QuietTracker(options);
  for (;;) {
    if (isManual) await unlessInterrupted(advanceToTheEnd(environment), environment);
    const kept = await account.journal();
    const now = clock.now();
    const isNews = quiet.look(kept, now);
    if (quiet.isSettled(kept, now)) return kept;
    if (!isNews && !quiet.isBusy(kept, now)) {
      if (await isOver(kept)) return kept;
      if (quiet.isTickDue()) await tick?.();
    }
    await pause(LOOK, interruption);
  }
}

/** Wall time after which a clock that still has something due is left as it is. */
const ADVANCE_LIMIT: Millis = 2 * MINUTE;

/** Advances a manual clock until nothing is due, except what waits for a client that never disconnects. */
export async function advanceToTheEnd({ account, clock }: Pick<TrialEnvironment, "account" | "clock">): Promise<void> {
  const end = clock.now() + ADVANCE_LIMIT;
  for (let hasMore = true; hasMore && clock.now() < end;) {
    const { pending, isComplete, hasMoved } = await account.advance("next");
    hasMore = isComplete && pending > 0 && hasMoved;
  }
}

/** Tracks since when nothing has happened. */
class QuietTracker {
  readonly #options: QuietOptions;
  readonly #startedAt: Instant;
  #since: Instant = Number.NEGATIVE_INFINITY;
  #events = -1;
  #ticked = -1;

  constructor(options: QuietOptions) {
    this.#options = options;
    this.#startedAt = options.environment.clock.now();
  }

  /** Returns whether there is news since the last check. */
  look({ events }: JournalSlice, now: Instant): boolean {
    const count = countNews(events);
    if (count === this.#events) return false;
    this.#events = count;
    this.#since = now;
    return true;
  }

  isSettled(kept: JournalSlice, now: Instant): boolean {
    if (now - this.#startedAt >= LONGEST) return true;
    return !this.isBusy(kept, now) && now - this.#since >= this.#options.settle(kept);
  }

  /** Returns whether a response is under way, or a client is still waiting for one. */
  isBusy({ events }: JournalSlice, now: Instant): boolean {
    const isPlacing = this.#options.isPlacing?.() === true && now - this.#since < CLIENT_PATIENCE;
    return isPlacing || isAnswering(events, now);
  }

  /** Returns true once after each change. */
  isTickDue(): boolean {
    const isDue = this.#ticked !== this.#events;
    this.#ticked = this.#events;
    return isDue;
  }
}

/** An application that sends a refused order again may go on for ever. After so many equal refusals, another one is no news. */
const MOST_EQUAL_REFUSALS = 3;

/** Counts the events after which more is to be expected: not the advances of the checks themselves, nor what repeats without end. */
function countNews(events: readonly AccountEvent[]): number {
  const refusals = new Map<string, number>();
  const news = events.filter((event) => {
    if (event.kind !== "refused") return event.kind !== "clock-changed";
    const key = `${event.code} ${event.content}`;
    const times = (refusals.get(key) ?? 0) + 1;
    refusals.set(key, times);
    return times <= MOST_EQUAL_REFUSALS;
  });
  return news.length;
}

function isAnswering(events: readonly AccountEvent[], now: Instant): boolean {
  const over = new Set(
    events.flatMap((event) => ("requestId" in event && ENDS.has(event.kind) ? [event.requestId] : [])),
  );
  return events
    .filter(isRequestEvent)
    .some((event) => !over.has(event.requestId) && now - sentAt(event) < answerTime(event));
}

/** These events show that a request's response is over: a callback is only sent after its acknowledgment. */
const ENDS: ReadonlySet<AccountEvent["kind"]> = new Set(["client-left", "client-waits", "attempted"]);

/** Returns the wall time that a response takes according to its scenario. */
function answerTime({ rules }: RequestEvent): Millis {
  if (rules?.breakage === "hang") return LONGEST;
  return (rules?.ack?.delay ?? 0) + (rules?.breakage === "drip" ? LONGEST_DRIP : 0);
}
