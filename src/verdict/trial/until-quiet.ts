import { CLIENT_PATIENCE, isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { responseTime, sentAt } from "../../gateway/account/readings/answer.ts";
import { requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import { type TrialEnvironment, unlessInterrupted } from "./environment.ts";

export interface QuietOptions {
  readonly environment: Pick<TrialEnvironment, "account" | "clock" | "pause" | "interruption">;
  /** Whether the account's clock must be advanced for anything to happen. */
  readonly isManual: boolean;
  /** How many orders the application still has to answer. It may be waiting for the gateway. */
  readonly placing: () => number;
  /** Wall time without events after which no more are expected. */
  readonly settle: (kept: JournalSlice) => Millis;
  /** Whether everything is as it should be, so that there is nothing left to wait for. Called while there are no new events. */
  readonly isOver: (kept: JournalSlice) => Promise<boolean>;
  /** Whether the application is told of results, so that requests for account details are not what it waits for. */
  readonly isTold: boolean;
  /** Makes the application run its jobs now. Called once after each change. */
  readonly tick: () => Promise<unknown>;
}

/** An application that never comes to rest is judged as it is after this time, or after twice the time that it needs at rest. */
const LONGEST: Millis = 2 * MINUTE;

/** Wall time between two looks at the journal, soon after something has happened and later. */
const [SHORTEST_PAUSE, LONGEST_PAUSE]: readonly [Millis, Millis] = [20, 50];

/** The longer nothing has happened, the less a longer pause matters: this part of it. */
const PART_OF_QUIET = 1 / 8;

/** What happened, and when the last of it did, in wall time. */
export interface Quiet {
  readonly kept: JournalSlice;
  readonly since: Instant;
}

/**
 * Lets everything happen that the requests so far lead to: results, callbacks, the application's jobs and retries. Resolves when there are
 * no more new events.
 */
export async function waitUntilQuiet(options: QuietOptions): Promise<Quiet> {
  const { environment, placing, settle, isOver, tick, isTold } = options;
  const { account, clock, pause, interruption } = environment;
  const startedAt = clock.now();
  let [end, news, ticked, since] = [startedAt + LONGEST, -1, -1, startedAt];
  const look = lookingAt(options);
  while (clock.now() < end) {
    const kept = await look();
    const now = clock.now();
    const count = countNews(kept.events, isTold);
    const isNews = count !== news;
    if (isNews) [news, since] = [count, now];
    if (!isNews && !isBusy(kept.events, now, now - since < patienceFor(kept) ? placing() : 0)) {
      const needed = settle(kept);
      end = Math.max(end, startedAt + 2 * needed);
      if (now - since >= needed || (await isOver(kept))) return { kept, since };
      if (ticked !== news) await tick();
      ticked = news;
    }
    await pause(Math.min(Math.max((now - since) * PART_OF_QUIET, SHORTEST_PAUSE), LONGEST_PAUSE), interruption);
  }
  return { kept: await account.journal(), since };
}

/** Returns what reads the journal, on a manual clock once nothing is due any more. */
function lookingAt({ environment, isManual }: QuietOptions): () => Promise<JournalSlice> {
  const { account } = environment;
  if (!isManual) return () => account.journal();
  let [last, idle]: (JournalSlice | undefined)[] = [];
  return async () => {
    if (idle !== undefined && (await account.journal()) === idle) return idle;
    const isIdle = await unlessInterrupted(advanceUntilIdle(environment), environment);
    const kept = await account.journal();
    // What is due follows from the journal, so nothing is due until it changes.
    idle = isIdle && kept === last ? kept : undefined;
    last = kept;
    return kept;
  };
}

/** Wall time after which a clock that still has something due is left as it is. */
const ADVANCE_LIMIT: Millis = 2 * MINUTE;

/**
 * Advances a manual clock until nothing is due, except what waits for a client that never disconnects. Resolves to whether there is nothing
 * of that, either.
 */
export async function advanceUntilIdle({
  account,
  clock,
}: Pick<TrialEnvironment, "account" | "clock">): Promise<boolean> {
  const end = clock.now() + ADVANCE_LIMIT;
  while (clock.now() < end) {
    const { pending, isComplete, hasMoved } = await account.advance("next");
    if (isComplete && pending === 0) return true;
    if (!isComplete || !hasMoved) return false;
  }
  return false;
}

/** An application that sends a refused order again may go on for ever. After so many equal refusals, another one is no news. */
const MAX_EQUAL_REFUSALS = 3;

/** Counts the events after which more is to be expected: not the advances of the checks themselves, nor what repeats without end. */
function countNews(events: readonly AccountEvent[], isTold: boolean): number {
  const refusals = new Map<string, number>();
  const news = events.filter((event) => {
    if (isTold && isRequestEvent(event) && isDetailsRequest(event)) return false;
    if (event.kind !== "refused") return event.kind !== "clock-changed";
    const key = `${event.code} ${event.content}`;
    const times = (refusals.get(key) ?? 0) + 1;
    refusals.set(key, times);
    return times <= MAX_EQUAL_REFUSALS;
  });
  return news.length;
}

/** Returns how long orders are waited for that the application has not answered. What has not reached the gateway waits for no call to it. */
function patienceFor({ events }: JournalSlice): Millis {
  return requestsOfBackend(events).length > 0 ? LONGEST : CLIENT_PATIENCE;
}

/** Returns whether a response is under way, or a client is still waiting for one. An order whose client waits for ever gets no answer. */
function isBusy(events: readonly AccountEvent[], now: Instant, placing: number): boolean {
  const endless = idsOf(events, ["client-waits"]);
  const ended = new Set([...idsOf(events, ["client-left"]), ...endless]);
  // A callback is only sent after its acknowledgment, unless that hangs.
  const calledBack = idsOf(events, ["attempted"]);
  const isAnswering = (event: RequestEvent): boolean =>
    !ended.has(event.requestId) &&
    (responseTime(event) === Infinity || !calledBack.has(event.requestId)) &&
    now - sentAt(event) < Math.min(responseTime(event), LONGEST);
  return placing > endless.size || events.filter(isRequestEvent).some(isAnswering);
}

function idsOf(events: readonly AccountEvent[], kinds: readonly AccountEvent["kind"][]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => ("requestId" in event && kinds.includes(event.kind) ? [event.requestId] : [])),
  );
}

/** Wall time between two attempts to connect. */
export const LOOK_MILLIS: Millis = SECOND / 10;

/** Waits until the application accepts connections. Resolves to false if the time ran out. */
export async function listensWithin(
  within: Millis,
  application: Pick<Application, "isListening">,
  { clock, pause, interruption }: Pick<TrialEnvironment, "clock" | "pause" | "interruption">,
): Promise<boolean> {
  const until = clock.now() + within;
  while (!(await application.isListening())) {
    if (clock.now() >= until) return false;
    await pause(LOOK_MILLIS, interruption);
  }
  return true;
}
