import { accountTime, startClock } from "../account/clock.ts";
import { isBeginning } from "../account/event-guards.ts";
import type { AccountSetup, ClockChanged, Opened } from "../account/events.ts";
import type { Snapshot, AccountEvent } from "../account/account-event.ts";
import type { StartingState } from "../account/decide/scenarios.ts";
import type { AccountState } from "../account/state.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings } from "../settings/account.ts";
import type { CallbackUrl } from "../domain/callback-outcome.ts";
import type { Instant } from "../domain/time.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";

/** What a journal starts with: its first event, or what an earlier process stored. */
export type JournalStart =
  | { readonly kind: "opened"; readonly event: Opened }
  | {
      readonly kind: "stored";
      readonly event: Opened | Snapshot;
      readonly number: number;
      readonly later: readonly AccountEvent[];
      /** The process ended before it had evicted what came before the last beginning. */
      readonly hasMoreBefore: boolean;
    };

/** The events of a stored journal since it last began. */
export function startOfStored({ first, events }: JournalSlice): Extract<JournalStart, { kind: "stored" }> {
  const place = events.findLastIndex(isBeginning);
  const event = events[place];
  if (event === undefined || !isBeginning(event)) throw new Error("a journal has a beginning");
  return { kind: "stored", event, number: first + place, later: events.slice(place + 1), hasMoreBefore: place > 0 };
}

/** What a reset goes back to: in the midst of a rehearsal, what that took the place of. Its journal was carried, and URLs lose trust on the way. */
export function stateBeforeRun({ before, settings, scenarios }: AccountState, isOwnersUrl: (url: string) => boolean): StartingState {
  if (before === undefined) return startingStateOf({ settings, scenarios });
  const { callbacks } = before.settings;
  const own = (target: CallbackUrl): CallbackUrl => ({ ...target, trusted: target.trusted || isOwnersUrl(target.url) });
  const { airtime, sms } = callbacks.urls;
  const urls = { ...(airtime && { airtime: own(airtime) }), ...(sms && { sms: own(sms) }) };
  return startingStateOf({ settings: { ...before.settings, callbacks: { ...callbacks, urls } }, scenarios: before.scenarios });
}

function startingStateOf({ settings, scenarios }: AccountSetup): StartingState {
  return { settings, scenarios, wallet: { balance: settings.balance, held: NO_MONEY } };
}

/** The event with which an account begins, or begins anew. */
export function openingOf(settings: AccountSettings, wall: Instant, freshSeed: () => number): Opened {
  const clock = startClock(settings.clock, wall);
  const at = accountTime(clock, wall, Number.NEGATIVE_INFINITY);
  return { kind: "opened", at, settings, clock, seed: settings.seed ?? freshSeed() };
}

/** A scaled clock is tied to a moment of wall time, which may be long past when its journal goes on: it goes on from where it stood. */
export function resumeClock({ clock, latest }: Pick<AccountState, "clock" | "latest">, wall: Instant): ClockChanged[] {
  if (clock.mode !== "scaled") return [];
  return [{ kind: "clock-changed", at: latest, clock: { ...clock, from: latest, wallFrom: wall } }];
}

/** The URLs that this machine's owner opened an account with, or that are trusted now: they may name public hosts. */
export function ownersUrls({ event }: JournalStart, now: AccountState): ReadonlySet<string> {
  const { settings } = event.kind === "opened" ? event : event.state;
  return new Set(
    [settings.callbacks, now.settings.callbacks].flatMap(({ urls }) =>
      Object.values(urls).flatMap(({ url, trusted }) => (trusted ? [url] : [])),
    ),
  );
}
