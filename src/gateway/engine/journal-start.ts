import { foldJournal } from "../account/apply.ts";
import { accountTime, startClock } from "../account/account-time.ts";
import { moveJournalBack } from "../account/move-journal.ts";
import { isBeginning } from "../account/event-guards.ts";
import type { AccountSetup, Opened } from "../account/events.ts";
import type { ClockChanged } from "../account/settings-events.ts";
import type { Snapshot, AccountEvent } from "../account/account-event.ts";
import type { AccountState } from "../account/state.ts";
import type { AccountSettings } from "../settings/account-settings.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";

/** The start of a journal: its first event, or what an earlier process stored. */
export type JournalStart =
  | { readonly kind: "opened"; readonly event: Opened }
  | {
      readonly kind: "stored";
      readonly event: Opened | Snapshot;
      readonly number: number;
      readonly later: readonly AccountEvent[];
      /** Whether the process ended before it had evicted the events before the last beginning. */
      readonly hasMoreBefore: boolean;
    };

/** Returns the events of a stored journal since its last beginning. */
export function startOfStored({ first, events }: JournalSlice): Extract<JournalStart, { kind: "stored" }> {
  const place = events.findLastIndex(isBeginning);
  const event = events[place];
  if (event === undefined || !isBeginning(event)) throw new Error("a journal has a beginning");
  return { kind: "stored", event, number: first + place, later: events.slice(place + 1), hasMoreBefore: place > 0 };
}

/** Returns the event with which an account starts or starts over. */
export function openingOf(settings: AccountSettings, wall: Instant, freshSeed: () => number): Opened {
  const clock = startClock(settings.clock, wall);
  const at = accountTime(clock, wall, Number.NEGATIVE_INFINITY);
  return { kind: "opened", at, settings, clock, seed: settings.seed ?? freshSeed() };
}

/** Ties a scaled clock to the current wall time, so that it continues from where it stopped. */
export function resumeClock({ clock, latest }: Pick<AccountState, "clock" | "latest">, wall: Instant): ClockChanged[] {
  if (clock.mode !== "scaled") return [];
  return [{ kind: "clock-changed", at: latest, clock: { ...clock, from: latest, wallFrom: wall } }];
}

/** Returns an imported journal, whose clock continues from where it stopped; a real one, at the current time. */
export function resumeJournal(events: readonly AccountEvent[], wall: Instant): AccountEvent[] {
  const left = foldJournal(events);
  if (left === undefined) return [...events];
  return isClockAhead(left, wall)
    ? moveJournalBack(events, left.latest - wall)
    : [...events, ...resumeClock(left, wall)];
}

/** Machines' clocks differ by less, if they are set by the network. A real clock stands still until such a difference is over. */
const USUAL_DIFFERENCE: Millis = SECOND;

/** Returns whether a journal was written by a machine whose clock was ahead of this one's, so that a real clock would stand still. */
export function isClockAhead({ clock, latest }: Pick<AccountState, "clock" | "latest">, wall: Instant): boolean {
  return clock.mode === "real" && latest - wall > USUAL_DIFFERENCE;
}

/** Returns the URLs that the account has from this machine's owner, those that a reset restores included. They may name public hosts. */
export function trustedUrls({
  before,
  ...now
}: AccountSetup & { readonly before?: AccountSetup | undefined }): string[] {
  const setups = before === undefined ? [now] : [now, before];
  return setups
    .flatMap(({ settings, scenarios }) => [
      settings.callbacks.urls,
      ...scenarios.map(({ overlay }) => overlay.urls ?? {}),
    ])
    .flatMap((urls) => Object.values(urls))
    .flatMap(({ url, trusted }) => (trusted ? [url] : []));
}
