import { type ScenarioToStart, loadScenarios, restartScenarios } from "../../gateway/account/decide/scenarios.ts";
import { accountTime, startClock } from "../../gateway/account/clock.ts";
import type { Opened } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { type StartingState, takeBackSetups } from "../../gateway/account/decide/setup.ts";
import { type AccountState, senderIdsOf } from "../../gateway/account/state.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { NO_MONEY } from "../../gateway/domain/kes.ts";
import type { AccountSettings } from "../../gateway/settings/account.ts";
import type { CallbackSettings } from "../../gateway/settings/callbacks.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import { fill, type Values } from "../application/placeholders.ts";
import type { AccountUnderTest, Rehearsal } from "./rehearsal-schema.ts";

export interface RehearsalStart {
  readonly seed: number;
  readonly scenarios: readonly Scenario[];
  /** Wall time. */
  readonly now: Instant;
  readonly values: Values;
  /** Marks the account as used by this run. */
  readonly runId: string;
}

/**
 * Returns the journal with which an account starts the rehearsal: its own settings, with the file's changes, and only the file's scenarios.
 */
export function rehearsalJournal(
  { settings, scenarios: earlier }: AccountState,
  rehearsal: Pick<Rehearsal, "account" | "clock" | "name">,
  start: RehearsalStart,
): AccountEvent[] {
  const { account, clock, name } = rehearsal;
  const changed = { ...changeSettings(settings, account, start.values), clock };
  const opened = { ...open(changed, start), rehearsal: start.runId, before: { settings, scenarios: earlier } };
  const scenarios = [...start.scenarios, ...portedScenario(name, account)];
  const loaded = scenarios.map((scenario): ScenarioToStart => ({ scenario, trusted: true }));
  return [opened, ...(loaded.length === 0 ? [] : loadScenarios(scenarioContext(changed), loaded, opened.at))];
}

/** Returns the journal that restores the account's own settings, as after a reset. */
export function restoredJournal({ settings, scenarios, seed }: AccountState, now: Instant): AccountEvent[] {
  const before = takeBackSetups({ ...scenarioContext(settings), scenarios });
  const opened = open(before.settings, { seed: settings.seed ?? seed, now });
  return [opened, ...restartScenarios(before, opened.at)];
}

function open(settings: AccountSettings, { seed, now }: Pick<RehearsalStart, "seed" | "now">): Opened {
  const clock = startClock(settings.clock, now);
  return { kind: "opened", at: accountTime(clock, now, Number.NEGATIVE_INFINITY), settings, clock, seed };
}

function scenarioContext(settings: AccountSettings): StartingState {
  const wallet = { balance: settings.balance, held: NO_MONEY };
  return { settings, scenarios: [], senderIds: senderIdsOf(settings.sender_ids), wallet };
}

function changeSettings(
  settings: AccountSettings,
  { wallet, sender_ids, callbacks, rate_limit }: AccountUnderTest,
  values: Values,
): AccountSettings {
  return {
    ...settings,
    ...wallet,
    ...(sender_ids && { sender_ids }),
    ...(rate_limit && { rate_limit }),
    callbacks: changeCallbacks(settings.callbacks, callbacks, values),
  };
}

/** Whether these URLs are trusted is decided later, when the sandbox imports the journal. */
function changeCallbacks(
  before: CallbackSettings,
  { airtime, sms }: AccountUnderTest["callbacks"] = {},
  values: Values,
): CallbackSettings {
  const urls = {
    ...before.urls,
    ...(airtime !== undefined && { airtime: { url: fill(airtime, values), trusted: true } }),
    ...(sms !== undefined && { sms: { url: fill(sms, values), trusted: true } }),
  };
  return { ...before, urls };
}

/** Ported numbers are set through a scenario. */
function portedScenario(name: string, { numbers: { ported } = {} }: AccountUnderTest): Scenario[] {
  return ported === undefined
    ? []
    : [{ version: 1, name: `${name}-numbers`.slice(-64), setup: { numbers: { ported } } }];
}
