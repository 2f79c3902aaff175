import { type ScenarioToStart, startScenarios, restartScenarios } from "../../gateway/account/decide/scenarios.ts";
import { accountTime, startClock } from "../../gateway/account/account-time.ts";
import type { Opened } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { type AccountState, initialState } from "../../gateway/account/state.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { AccountSettings } from "../../gateway/settings/account-settings.ts";
import type { ProfileChange } from "../../gateway/settings/profiles.ts";
import type { ClockSettings } from "../../gateway/settings/clock.ts";
import { withTrust } from "../../gateway/settings/callbacks.ts";

export interface TrialStart {
  /** Names the run to others that want to use the account. */
  readonly name: string;
  readonly seed: number;
  readonly clock: ClockSettings;
  readonly scenarios: readonly Scenario[];
  /** Instead of the account's own. */
  readonly balance?: Kes;
  /** How the gateway behaves otherwise than its settings say. */
  readonly profileChange?: ProfileChange;
  readonly callbacks: Parameters<typeof withTrust>[0];
  readonly now: Instant;
}

/** Returns the journal with which an account starts a trial: its own settings with the trial's changes, and only the trial's scenarios. */
export function trialJournal({ settings, scenarios: earlier }: AccountState, start: TrialStart): AccountEvent[] {
  const { callbacks, clock, balance = settings.balance, profileChange } = start;
  // Whether these URLs are trusted is decided later, when the sandbox imports the journal.
  const urls = withTrust(callbacks, true);
  const changed: AccountSettings = {
    ...settings,
    balance,
    clock,
    callbacks: { ...settings.callbacks, urls },
    ...(profileChange && { profile_change: profileChange }),
  };
  const opened = { ...open(changed, start), rehearsal: start.name, before: { settings, scenarios: earlier } };
  const loaded = start.scenarios.map((scenario): ScenarioToStart => ({ scenario, trusted: true }));
  return [opened, ...(loaded.length === 0 ? [] : startScenarios(initialState(opened), loaded, opened.at))];
}

/** Returns the journal that restores the account's own settings, as after a reset. */
export function restoredJournal({ settings, scenarios, seed }: AccountState, now: Instant): AccountEvent[] {
  const opened = open(settings, { seed: settings.seed ?? seed, now });
  return [opened, ...restartScenarios(opened, scenarios)];
}

function open(settings: AccountSettings, { seed, now }: Pick<TrialStart, "seed" | "now">): Opened {
  const clock = startClock(settings.clock, now);
  return { kind: "opened", at: accountTime(clock, now, Number.NEGATIVE_INFINITY), settings, clock, seed };
}
