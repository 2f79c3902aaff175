import { CLIENT_PATIENCE, isRequestEvent } from "../account/event-guards.ts";
import type { RequestEvent } from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../domain/time.ts";
import { sentAt } from "../findings/sent-at.ts";
import { type RehearsalEnvironment, unlessInterrupted } from "./rehearsal-environment.ts";
import { advanceToTheEnd } from "./steps/time.ts";

export interface QuietOptions {
  readonly environment: Pick<RehearsalEnvironment, "account" | "clock" | "pause" | "interruption">;
  /** Whether the account's clock has to be advanced for anything to happen. */
  readonly isManual: boolean;
  /** Whether the application still has to answer orders; it may wait for the gateway. */
  readonly isPlacing?: () => boolean;
  /** Wall time without news after which no more is expected. */
  readonly settle: (kept: JournalSlice) => Millis;
  /** Whether all is as it must be, so that nobody need wait any longer. Asked while there is no news. */
  readonly isOver?: (kept: JournalSlice) => Promise<boolean>;
  /** Makes the application's jobs run now; called once after each change. */
  readonly tick?: () => Promise<unknown>;
}

/** An application that never comes to rest is judged as it is. */
const LONGEST: Millis = 2 * MINUTE;

/** A dripped answer has fewer bytes than this at ten a second. */
const LONGEST_DRIP: Millis = 13 * SECOND;

/** Between two looks at the journal. */
const LOOK: Millis = 20;

/** Lets everything happen that the requests so far bring about: results, callbacks, the application's jobs and retries. Ends when all is quiet. */
export async function untilQuiet(options: QuietOptions): Promise<JournalSlice> {
  const { environment, isManual, isOver = async () => false, tick } = options;
  const { account, clock, pause, interruption } = environment;
  const quiet = new Quiet(options);
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

/** Since when nothing has happened. */
class Quiet {
  readonly #options: QuietOptions;
  readonly #startedAt: Instant;
  #since: Instant = Number.NEGATIVE_INFINITY;
  #events = -1;
  #ticked = -1;

  constructor(options: QuietOptions) {
    this.#options = options;
    this.#startedAt = options.environment.clock.now();
  }

  /** Whether something has happened since the last look. Looking advances the clock, which is no news. */
  look({ events }: JournalSlice, now: Instant): boolean {
    const count = events.filter(({ kind }) => kind !== "clock-changed").length;
    if (count === this.#events) return false;
    this.#events = count;
    this.#since = now;
    return true;
  }

  isSettled(kept: JournalSlice, now: Instant): boolean {
    if (now - this.#startedAt >= LONGEST) return true;
    return !this.isBusy(kept, now) && now - this.#since >= this.#options.settle(kept);
  }

  /** An answer is under way, or somebody still waits for one. */
  isBusy({ events }: JournalSlice, now: Instant): boolean {
    const isPlacing = this.#options.isPlacing?.() === true && now - this.#since < CLIENT_PATIENCE;
    return isPlacing || isAnswering(events, now);
  }

  /** Once after each change. */
  isTickDue(): boolean {
    const isDue = this.#ticked !== this.#events;
    this.#ticked = this.#events;
    return isDue;
  }
}

function isAnswering(events: readonly AccountEvent[], now: Instant): boolean {
  const over = new Set(events.flatMap((event) => ("requestId" in event && ENDS.has(event.kind) ? [event.requestId] : [])));
  return events.filter(isRequestEvent).some((event) => !over.has(event.requestId) && now - sentAt(event) < answerTime(event));
}

/** A callback goes only once its acknowledgment is done. */
const ENDS: ReadonlySet<AccountEvent["kind"]> = new Set(["client-left", "client-waits", "attempted"]);

/** Wall time that an answer takes as its scenario has it. */
function answerTime({ rules }: RequestEvent): Millis {
  if (rules?.breakage === "hang") return LONGEST;
  return (rules?.ack?.delay ?? 0) + (rules?.breakage === "drip" ? LONGEST_DRIP : 0);
}
