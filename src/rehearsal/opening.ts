import { type Loaded, loadScenarios, restartScenarios } from "../account/decide/scenarios.ts";
import { accountTime, startClock } from "../account/clock.ts";
import type { AccountEvent } from "../account/events.ts";
import type { Opened } from "../account/opened.ts";
import type { AccountState } from "../account/state.ts";
import type { Scenario } from "../domain/scenario.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings, CallbackSettings } from "../domain/settings.ts";
import type { Instant } from "../domain/time.ts";
import { fill, type Values } from "./placeholders.ts";
import type { AccountUnderTest, Rehearsal } from "./rehearsal.ts";

export interface Beginning {
  readonly seed: number;
  readonly scenarios: readonly Scenario[];
  /** Wall time. */
  readonly now: Instant;
  readonly values: Values;
  /** By which the account is known to be in this run of it. */
  readonly mark: string;
}

/** The journal with which the account begins the rehearsal: its own settings, changed as the file says, and no scenarios but the file's. */
export function openRehearsal({ settings, scenarios: earlier }: AccountState, rehearsal: Rehearsal, beginning: Beginning): AccountEvent[] {
  const { account, clock, name } = rehearsal;
  const changed = { ...changeSettings(settings, account, beginning.values), clock };
  const opened = { ...open(changed, beginning), rehearsal: beginning.mark, before: { settings, scenarios: earlier } };
  const scenarios = [...beginning.scenarios, ...(account.ported === undefined ? [] : [portedAs(name, account.ported)])];
  const loaded = scenarios.map((scenario): Loaded => ({ scenario, trusted: true }));
  return [opened, ...(loaded.length === 0 ? [] : loadScenarios(groundOf(changed), loaded, opened.at))];
}

/** The journal with which the account goes back to what it was before: as after a reset. */
export function reopen({ settings, scenarios, seed }: AccountState, now: Instant): AccountEvent[] {
  const opened = open(settings, { seed: settings.seed ?? seed, now });
  return [opened, ...restartScenarios({ ...groundOf(settings), scenarios }, opened.at)];
}

function open(settings: AccountSettings, { seed, now }: Pick<Beginning, "seed" | "now">): Opened {
  const clock = startClock(settings.clock, now);
  return { kind: "opened", at: accountTime(clock, now, Number.NEGATIVE_INFINITY), settings, clock, seed };
}

function groundOf(settings: AccountSettings): Parameters<typeof loadScenarios>[0] {
  return { settings, scenarios: [], wallet: { balance: settings.balance, held: NO_MONEY } };
}

function changeSettings(
  settings: AccountSettings,
  { balance, senderIds, callbacks, rateLimit }: AccountUnderTest,
  values: Values,
): AccountSettings {
  return {
    ...settings,
    ...(balance !== undefined && { balance }),
    ...(senderIds && { senderIds }),
    ...(rateLimit && { rateLimit }),
    callbacks: changeCallbacks(settings.callbacks, callbacks, values),
  };
}

/** Trusted only as far as the sandbox trusts whoever puts it there. */
function changeCallbacks(before: CallbackSettings, { airtime, sms }: AccountUnderTest["callbacks"] = {}, values: Values): CallbackSettings {
  const urls = {
    ...before.urls,
    ...(airtime !== undefined && { airtime: { url: fill(airtime, values), trusted: true } }),
    ...(sms !== undefined && { sms: { url: fill(sms, values), trusted: true } }),
  };
  return { ...before, urls };
}

/** Whose network a number is on is for scenarios to say. */
function portedAs(name: string, ported: NonNullable<AccountUnderTest["ported"]>): Scenario {
  return { name: `${name}-numbers`.slice(-64), setup: { ported }, rules: [], timeline: [] };
}
