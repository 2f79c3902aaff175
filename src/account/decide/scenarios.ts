import { type RunningScenario, DEFAULT_SCENARIO, type SettingsBefore } from "../../scenario/running-scenario.ts";
import { cents, LARGEST, type Kes, NO_MONEY, smallerKes, subtractKes } from "../../domain/kes.ts";
import { readScenario } from "../../scenario/read-scenario.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { Setup } from "../../scenario/setup.ts";
import { firstMoment } from "../../scenario/step-moments.ts";
import type { TimelineAction } from "../../scenario/timeline.ts";
import type { CallbackSettings } from "../../settings/callbacks.ts";
import type { Instant } from "../../domain/time.ts";
import { available, credit } from "../../domain/wallet.ts";
import { switched } from "../apply-scenarios.ts";
import type { ScenariosChanged } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import type { AccountState } from "../state.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";

/** A scenario to start, and whether it comes from this machine's owner. */
export interface ScenarioToStart {
  readonly scenario: Scenario;
  readonly trusted: boolean;
  /** Whether its rules are tried before those of all others. */
  readonly first?: boolean;
}

/** The parts of a state that starting a scenario depends on. */
export type StartingState = Pick<AccountState, "scenarios" | "settings" | "wallet">;

/** Starts scenarios: each replaces the active one of the same name, goes first if requested, and otherwise follows the active ones. */
export function loadScenarios(state: StartingState, loaded: readonly ScenarioToStart[], at: Instant): AccountEvent[] {
  const begun = loaded.map(({ scenario, trusted }) => {
    const earlier = state.scenarios.find((one) => one.scenario.name === scenario.name)?.before;
    return withBefore({ scenario, since: at, off: [], trusted }, state, earlier);
  });
  const active = begun.reduce((others, one, index) => placed(others, one, loaded[index]?.first), state.scenarios);
  return begin(state, { active, begun }, at);
}

/** Restarts the active scenarios after a reset. */
export function restartScenarios(state: StartingState, at: Instant): AccountEvent[] {
  if (state.scenarios.length === 0) return [];
  const begun = state.scenarios.map(({ scenario, trusted = false }) =>
    withBefore({ scenario, since: at, off: [], trusted }, state),
  );
  return begin(state, { active: begun, begun }, at);
}

/** Records what a scenario's setup replaces. A restarted scenario keeps the original record. */
function withBefore(
  one: RunningScenario,
  { settings, wallet }: StartingState,
  earlier?: SettingsBefore,
): RunningScenario {
  const { setup = {} } = one.scenario;
  const before: SettingsBefore = {
    ...(setup.wallet && { available: available(wallet) }),
    ...(setup.callbacks && { callbacks: settings.callbacks.urls }),
    ...(setup.rate_limit && { rateLimit: settings.rate_limit ?? null }),
    ...earlier,
  };
  return Object.keys(before).length === 0 ? one : { ...one, before };
}

export interface ScenarioEnd {
  /** The scenario's name; undefined means all scenarios. */
  readonly name: string | undefined;
  /** Whether to restore what their setups had replaced. */
  readonly restores: boolean;
}

/** Stops one scenario, or all of them. Returns no events if there is none of that name. */
export function unloadScenarios(state: StartingState, { name, restores }: ScenarioEnd, at: Instant): AccountEvent[] {
  const { scenarios } = state;
  const active = name === undefined ? [] : scenarios.filter(({ scenario }) => scenario.name !== name);
  if (active.length === scenarios.length) return [];
  const changed: ScenariosChanged = { kind: "scenarios-changed", at, active, begun: [] };
  // The first scenario replaced the original settings, so it is undone last.
  const ended = scenarios.filter((one) => !active.includes(one)).toReversed();
  return [changed, ...(restores ? ended.flatMap((one) => restoringEvents(state, one, at)) : [])];
}

/** Sender IDs are restored to those of the settings, as in a reset. */
function restoringEvents(
  state: StartingState,
  { scenario, before = {} }: RunningScenario,
  at: Instant,
): AccountEvent[] {
  const { available, callbacks: urls, rateLimit } = before;
  const senderIds = scenario.setup?.sender_ids && state.settings.sender_ids;
  const isChanged = senderIds !== undefined || rateLimit !== undefined;
  return [
    ...(available === undefined ? [] : [walletSet(state, available, at)]),
    ...(urls === undefined
      ? []
      : [{ kind: "callbacks-changed", at, callbacks: { ...state.settings.callbacks, urls } } as const]),
    ...(isChanged
      ? [
          {
            kind: "account-changed",
            at,
            ...(senderIds && { sender_ids: senderIds }),
            ...(rateLimit !== undefined && { rate_limit: rateLimit }),
          } as const,
        ]
      : []),
  ];
}

export interface RuleSwitch {
  readonly scenario: string;
  readonly rule: string;
  readonly is: "on" | "off";
}

/** Switches a rule on or off; returns undefined if there is none of that name. */
export function switchRule(
  { scenarios }: StartingState,
  { scenario: name, rule, is }: RuleSwitch,
  at: Instant,
): ScenariosChanged | undefined {
  const isThere = scenarios.some(
    ({ scenario }) => scenario.name === name && scenario.rules?.some((known) => known.name === rule),
  );
  if (!isThere) return undefined;
  const active = scenarios.map((one) =>
    one.scenario.name === name ? { ...one, off: switched(one.off, rule, is) } : one,
  );
  return { kind: "scenarios-changed", at, active, begun: [] };
}

export interface Swap {
  /** The scenario's name so far. */
  readonly was: string;
  readonly scenario: Scenario;
  /** Whether it comes from this machine's owner. Defaults to the trust of the scenario it replaces. */
  readonly trusted?: boolean;
}

/**
 * Replaces a scenario with its new version; its time, its counters and the money stay. Returns undefined if it is not active, or if the new
 * name is taken.
 */
export function swapScenario(
  { scenarios }: StartingState,
  { was, scenario, ...from }: Swap,
  at: Instant,
): ScenariosChanged | undefined {
  const isTaken = scenario.name !== was && scenarios.some((one) => one.scenario.name === scenario.name);
  if (isTaken || !scenarios.some((one) => one.scenario.name === was)) return undefined;
  const names = scenario.rules?.map(({ name }) => name) ?? [];
  const active = scenarios.map((one) =>
    one.scenario.name === was
      ? { ...one, ...from, scenario, off: one.off.filter((rule) => names.includes(rule)) }
      : one,
  );
  return { kind: "scenarios-changed", at, active, begun: [], swapped: [scenario.name] };
}

/** Carries out a timeline step. Returns no events if the step is already done or its scenario no longer exists. */
export function takeStep(
  state: AccountState,
  { scenario, step }: { scenario: string; step: number },
  at: Instant,
): AccountEvent[] {
  const active = state.scenarios.find((one) => one.scenario.name === scenario);
  const timed = active && readScenario(active.scenario).timeline[step];
  if (timed === undefined) return [];
  const isDone =
    timed.every === undefined && state.stepped.some((done) => done.scenario === scenario && done.step === step);
  return isDone ? [] : stepEvents(state, { scenario, step, action: timed.do }, at);
}

function placed(active: readonly RunningScenario[], one: RunningScenario, first = false): readonly RunningScenario[] {
  if (first) return [one, ...active.filter(({ scenario }) => scenario.name !== one.scenario.name)];
  const place = active.findIndex(({ scenario }) => scenario.name === one.scenario.name);
  if (place >= 0) return active.with(place, one);
  const last = active.at(-1);
  return last?.scenario.name === DEFAULT_SCENARIO ? [...active.slice(0, -1), one, last] : [...active, one];
}

interface Activation {
  readonly active: readonly RunningScenario[];
  readonly begun: readonly RunningScenario[];
}

/** Timeline steps at 0 are carried out at once, so that they do not depend on the clock's first tick. */
function begin(state: StartingState, { active, begun }: Activation, at: Instant): AccountEvent[] {
  const changed: ScenariosChanged = {
    kind: "scenarios-changed",
    at,
    active,
    begun: begun.map(({ scenario }) => scenario.name),
  };
  let { callbacks } = state.settings;
  const setups = begun.flatMap(({ scenario, trusted = false }) => {
    const { setup } = readScenario(scenario);
    callbacks = callbacksBySetup(callbacks, setup, trusted);
    return setupEvents(state, setup, { callbacks, at });
  });
  const events: AccountEvent[] = [changed, ...setups];
  for (const { scenario } of begun) {
    for (const [step, timed] of readScenario(scenario).timeline.entries())
      if (firstMoment(timed, at) === at)
        events.push(...stepEvents(stateAfter(state, events), { scenario: scenario.name, step, action: timed.do }, at));
  }
  return events;
}

/** Returns the state with the wallet as set by the events so far. */
function stateAfter(state: StartingState, events: readonly AccountEvent[]): StartingState {
  const set = events.findLast((event) => event.kind === "wallet-set");
  return set === undefined
    ? state
    : { ...state, wallet: credit(state.wallet, subtractKes(set.available, available(state.wallet))) };
}

function setupEvents(
  state: StartingState,
  setup: Setup,
  { callbacks, at }: { callbacks: CallbackSettings; at: Instant },
): AccountEvent[] {
  const { wallet, sender_ids, rate_limit } = setup;
  const isChanged = sender_ids !== undefined || rate_limit !== undefined;
  return [
    ...(wallet === undefined ? [] : [walletSet(state, wallet.balance, at)]),
    ...(setup.callbacks === undefined ? [] : [{ kind: "callbacks-changed", at, callbacks } as const]),
    ...(isChanged
      ? [{ kind: "account-changed", at, ...(sender_ids && { sender_ids }), ...(rate_limit && { rate_limit }) } as const]
      : []),
  ];
}

function callbacksBySetup(callbacks: CallbackSettings, setup: Setup, trusted: boolean): CallbackSettings {
  const { airtime, sms } = setup.callbacks ?? {};
  const urls = {
    ...callbacks.urls,
    ...(airtime !== undefined && { airtime: { url: airtime, trusted } }),
    ...(sms !== undefined && { sms: { url: sms, trusted } }),
  };
  return { ...callbacks, urls };
}

interface Step {
  readonly scenario: string;
  readonly step: number;
  readonly action: TimelineAction;
}

function stepEvents(state: StartingState, { scenario, step, action }: Step, at: Instant): AccountEvent[] {
  const stepped = { kind: "timeline-stepped", at, scenario, step } as const;
  const { wallet, rate_limit: limit } = action;
  return [
    stepped,
    ...(wallet === undefined ? [] : [walletSet(state, changedBalance(state, wallet), at)]),
    ...(limit === undefined
      ? []
      : [{ kind: "account-changed", at, rate_limit: limit === "none" ? null : limit } as const]),
  ];
}

/** Returns the available balance after a change; never negative. */
function changedBalance({ wallet }: StartingState, change: NonNullable<TimelineAction["wallet"]>): Kes {
  const before = available(wallet);
  if (change.balance !== undefined) return change.balance;
  if (change.add !== undefined) return cents(Math.min(before + change.add, LARGEST));
  return subtractKes(before, smallerKes(change.subtract ?? NO_MONEY, before));
}

/** Limits the balance to what the wallet can store exactly besides its holds. */
function walletSet({ wallet }: StartingState, balance: Kes, at: Instant): AccountEvent {
  return { kind: "wallet-set", at, available: smallerKes(balance, cents(LARGEST - wallet.held)) };
}

/** Returns the gateway settings with the numbers that scenarios ported. The last scenario wins, as for the rest of a setup. */
export function portAsScripted(gateway: GatewaySettings, scenarios: readonly RunningScenario[]): GatewaySettings {
  if (scenarios.length === 0) return gateway;
  const known = ported.get(scenarios);
  if (known !== undefined) return known;
  const made = overlay(gateway, scenarios);
  ported.set(scenarios, made);
  return made;
}

/** Lists of scenarios are never shared between sandboxes, so the list alone can be the key. */
const ported = new WeakMap<readonly RunningScenario[], GatewaySettings>();

function overlay(gateway: GatewaySettings, scenarios: readonly RunningScenario[]): GatewaySettings {
  const overrides = scenarios.map(({ scenario }) => scenario.setup?.numbers?.ported).filter((one) => one !== undefined);
  if (overrides.length === 0) return gateway;
  const { numbers: numbering } = gateway;
  return { ...gateway, numbers: { ...numbering, ported: Object.assign({}, numbering.ported, ...overrides) } };
}
