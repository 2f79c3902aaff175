import type { AccountEvent, RequestEvent } from "../account/events.ts";
import { isRequestEvent } from "../account/event-guards.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import { type Application, CLIENT_PATIENCE } from "../application/application.ts";
import { type RehearsalEnvironment, unlessInterrupted } from "../rehearsal/rehearsal-environment.ts";

/** A dripped answer has fewer bytes than this at ten a second. */
const LONGEST_DRIP: Millis = 13 * SECOND;

/** Between two looks at the journal. */
const LOOK: Millis = 20;

export interface FollowOptions {
  readonly environment: RehearsalEnvironment;
  readonly application: Application;
  /** Resolves once every order has been placed. */
  readonly placing: Promise<unknown>;
  /** Wall time in which the first request of an order comes. */
  readonly firstWithin: Millis;
  /** Whether the run can end before the application's time to settle is over. */
  readonly isOver: (kept: JournalSlice) => Promise<boolean>;
}

export interface Followed {
  readonly kept: JournalSlice;
  /** Requests whose client waited for an answer longer than any client should. */
  readonly endless: ReadonlySet<string>;
}

/** Lets everything happen that an order brings about: callbacks when they are due, the application's jobs, retries. Ends when all is quiet. */
export async function followOrders(options: FollowOptions): Promise<Followed> {
  const { environment, application, isOver } = options;
  const { clock, pause, account, interruption } = environment;
  const quiet = new Quiet(options);
  let isPlacing = true;
  void options.placing.finally(() => (isPlacing = false));
  for (;;) {
    await unlessInterrupted(advanceAll(account), environment);
    const kept = await account.journal();
    const now = clock.now();
    const isNews = quiet.note(kept, now);
    const waits = quiet.waits(kept.events, now);
    if (!waits.isBusy && !(isPlacing && now - quiet.since < CLIENT_PATIENCE)) {
      if (quiet.isSettled(kept.events, now)) return { kept, endless: waits.endless };
      if (!isNews && (await isOver(kept))) return { kept, endless: waits.endless };
      if (!isNews && quiet.isTickDue()) await application.tick();
    }
    await pause(LOOK, interruption);
  }
}

/** A manual clock has nothing due any more, or only what waits for a client. */
async function advanceAll(account: RehearsalEnvironment["account"]): Promise<void> {
  for (;;) {
    const { pending, hasMoved, isComplete } = await account.advance("next");
    if (pending === 0 || !hasMoved || !isComplete) return;
  }
}

/** Since when nothing has happened. */
class Quiet {
  since: Instant = Number.NEGATIVE_INFINITY;
  #events = 0;
  #ticked = 0;
  readonly #options: FollowOptions;
  readonly #seen = new Map<string, Instant>();

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Whether something has happened since the last look. The clock's own events are none. */
  note({ events }: JournalSlice, now: Instant): boolean {
    const count = events.filter(({ kind }) => kind !== "clock-changed").length;
    for (const event of events.filter(isRequestEvent)) if (!this.#seen.has(event.requestId)) this.#seen.set(event.requestId, now);
    if (count === this.#events) return false;
    this.#events = count;
    this.since = now;
    return true;
  }

  /** The application's jobs are made to run once after each change. */
  isTickDue(): boolean {
    if (this.#ticked === this.#events) return false;
    this.#ticked = this.#events;
    return true;
  }

  isSettled(events: readonly AccountEvent[], now: Instant): boolean {
    const { application, firstWithin } = this.#options;
    const { settle } = application.map;
    return now - this.since >= (events.some(isRequestEvent) ? settle : Math.max(settle, firstWithin));
  }

  /** Requests whose answer is under way. */
  waits(events: readonly AccountEvent[], now: Instant): { isBusy: boolean; endless: ReadonlySet<string> } {
    const over = new Set(events.flatMap((event) => (event.kind === "client-left" || event.kind === "attempted" ? [event.requestId] : [])));
    const open = events.filter(isRequestEvent).filter(({ requestId }) => !over.has(requestId));
    const late = (event: RequestEvent): boolean => now - (this.#seen.get(event.requestId) ?? now) >= answerTime(event);
    const endless = open.filter((event) => event.rules?.breakage === "hang" && late(event));
    return { isBusy: open.some((event) => !late(event)), endless: new Set(endless.map(({ requestId }) => requestId)) };
  }
}

/** Wall time that an answer takes as its scenario has it. */
function answerTime({ rules }: RequestEvent): Millis {
  if (rules?.breakage === "hang") return CLIENT_PATIENCE;
  return (rules?.ack?.delay ?? 0) + (rules?.breakage === "drip" ? LONGEST_DRIP : 0);
}
