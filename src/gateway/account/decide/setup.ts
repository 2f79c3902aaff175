import type { RunningScenario } from "../../scenario/running-scenario.ts";
import type { SettingsBefore } from "../../settings/account-settings.ts";
import { readScenario } from "../../scenario/read-scenario.ts";
import type { Instant } from "../../domain/time.ts";
import { type CallbackSettings, callbackUrls } from "../../settings/callbacks.ts";
import type { AccountEvent } from "../account-event.ts";
import { type AccountState, senderIdsOf } from "../state.ts";

/** The parts of a state that starting and ending a scenario depends on. */
export type StartingState = Pick<AccountState, "scenarios" | "settings" | "senderIds" | "wallet">;

/** What a setup may replace, apart from the wallet, whose money has been spent. */
type Settings = Required<SettingsBefore>;

const SETTINGS = ["airtime", "sms", "rate_limit", "sender_ids"] as const;

/** Applies the setup of a scenario that starts. Returns the account after it, and the scenario with a record of what it replaced. */
export function setUp(state: StartingState, one: RunningScenario): { state: StartingState; begun: RunningScenario } {
  const current = settingsOf(state);
  const set = settingsBySetup(one);
  const { timeline } = readScenario(one.scenario);
  const touched = SETTINGS.filter(
    (key) => set[key] !== undefined || (key === "rate_limit" && timeline.some((step) => step.do.rate_limit)),
  );
  const before: SettingsBefore = Object.fromEntries(touched.map((key) => [key, current[key]]));
  return {
    state: withSettings(state, { ...current, ...set }),
    begun: touched.length === 0 ? one : { ...one, before },
  };
}

/** Returns an account without a scenario. What the scenario had set is as before, unless somebody has changed it since. */
export function takeBack(state: StartingState, name: string): StartingState {
  const one = state.scenarios.find(({ scenario }) => scenario.name === name);
  if (one === undefined) return state;
  let scenarios = state.scenarios.filter((other) => other !== one);
  let settings = settingsOf(state);
  const { before = {} } = one;
  for (const key of SETTINGS) {
    const was = before[key];
    if (was === undefined) continue;
    const own = valuesOf(one, key);
    if (own.includes(textOf(settings[key]))) settings = { ...settings, [key]: was };
    // A scenario that started later has replaced it, and must not bring it back.
    else scenarios = scenarios.map((other) => inherit(other, key, { own, was }));
  }
  return { ...withSettings(state, settings), scenarios };
}

/** Returns an account as it was before the setups of its scenarios, which can then be applied again. */
export function takeBackSetups(state: StartingState): StartingState {
  const scenarios = state.scenarios.map(({ before: _before, ...one }) => one);
  return { ...state.scenarios.reduce((left, { scenario }) => takeBack(left, scenario.name), state), scenarios };
}

/** Returns the events that turn one account's settings into those of another. */
export function settingsEvents(from: StartingState, to: StartingState, at: Instant): AccountEvent[] {
  const [old, now] = [settingsOf(from), settingsOf(to)];
  const differs = (key: keyof Settings): boolean => JSON.stringify(old[key]) !== JSON.stringify(now[key]);
  const changed = {
    ...(differs("rate_limit") && { rate_limit: now.rate_limit }),
    ...(differs("sender_ids") && { sender_ids: now.sender_ids }),
  };
  return [
    ...(differs("airtime") || differs("sms")
      ? [{ kind: "callbacks-changed", at, callbacks: to.settings.callbacks } as const]
      : []),
    ...(Object.keys(changed).length === 0 ? [] : [{ kind: "account-changed", at, ...changed } as const]),
  ];
}

export function settingsOf({ settings, senderIds }: Pick<StartingState, "settings" | "senderIds">): Settings {
  const { airtime = null, sms = null } = settings.callbacks.urls;
  return {
    airtime,
    sms,
    rate_limit: settings.rate_limit ?? null,
    sender_ids: Array.from(senderIds, ([sender_id, carriers]) => ({ sender_id, carriers: [...carriers] })),
  };
}

function withSettings(state: StartingState, { airtime, sms, rate_limit, sender_ids }: Settings): StartingState {
  const { rate_limit: _before, callbacks, ...same } = state.settings;
  const { also } = callbacks.urls;
  const urls: CallbackSettings["urls"] = { ...(airtime && { airtime }), ...(sms && { sms }), ...(also && { also }) };
  return {
    ...state,
    settings: { ...same, callbacks: { ...callbacks, urls }, ...(rate_limit && { rate_limit }) },
    senderIds: senderIdsOf(sender_ids),
  };
}

function settingsBySetup({ scenario, trusted = false }: RunningScenario): SettingsBefore {
  const { callbacks = {}, rate_limit, sender_ids } = readScenario(scenario).setup;
  return {
    ...callbackUrls(callbacks, trusted),
    ...(rate_limit && { rate_limit }),
    ...(sender_ids && { sender_ids }),
  };
}

/** Returns the texts of all values that a scenario may have given to a setting. */
function valuesOf(one: RunningScenario, key: keyof Settings): string[] {
  const set = settingsBySetup(one)[key];
  const limits = key === "rate_limit" ? readScenario(one.scenario).timeline.map((step) => step.do.rate_limit) : [];
  return [set, ...limits.map((limit) => (limit === "none" ? null : limit))].flatMap((value) =>
    value === undefined ? [] : [textOf(value)],
  );
}

function inherit(
  other: RunningScenario,
  key: keyof Settings,
  { own, was }: { own: readonly string[]; was: Settings[keyof Settings] },
): RunningScenario {
  const replaced = other.before?.[key];
  if (replaced === undefined || !own.includes(textOf(replaced))) return other;
  return { ...other, before: { ...other.before, [key]: was } };
}

/** Whether a URL is trusted may change with an import of the journal. */
function textOf(value: Settings[keyof Settings]): string {
  return JSON.stringify(value !== null && "url" in value ? value.url : value);
}
