import type { RunningScenario } from "../../scenario/running-scenario.ts";
import { DEFAULT_SCENARIO } from "../../settings/defaults.ts";
import { cents, LARGEST, type Kes, smallerKes, subtractKes, available, credit } from "../../domain/kes.ts";
import { readScenario } from "../../scenario/read-scenario.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { firstMoment } from "../../scenario/step-moments.ts";
import type { TimelineAction } from "../../scenario/timeline-steps.ts";
import type { Instant } from "../../domain/time.ts";
import { switched } from "../apply-scenarios.ts";
import type { Opened, ScenariosChanged } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import { type AccountState, openState } from "../state.ts";
import type { Overlay } from "../../settings/account-settings.ts";
import { withTrust } from "../../settings/callbacks.ts";

/** What starting and ending a scenario depends on. */
type StartingState = Pick<AccountState, "scenarios" | "wallet">;

/** A scenario to start, and whether it comes from this machine's owner. */
export interface ScenarioToStart {
  readonly scenario: Scenario;
  readonly trusted: boolean;
  /** Whether its rules are tried before those of all others. */
  readonly first?: boolean;
}

/** Starts scenarios: each replaces the active one of the same name, goes first if requested, and otherwise follows the active ones. */
export function loadScenarios(state: StartingState, loaded: readonly ScenarioToStart[], at: Instant): AccountEvent[] {
  const active = loaded.reduce(
    (others, { scenario, trusted, first }) => placed(others, started(scenario, trusted, at), first),
    state.scenarios,
  );
  return begin(state, { active, begun: loaded.map(({ scenario }) => scenario) }, at);
}

/** Starts the scenarios of an account again that has just been opened. */
export function restartScenarios(opened: Opened, scenarios: readonly RunningScenario[]): AccountEvent[] {
  if (scenarios.length === 0) return [];
  const active = scenarios.map(({ scenario, trusted = false }) => started(scenario, trusted, opened.at));
  return begin(openState(opened), { active, begun: active.map(({ scenario }) => scenario) }, opened.at);
}

/** Returns a scenario as it runs from its start, with what its setup lays over the account's settings. */
function started(scenario: Scenario, trusted: boolean, at: Instant): RunningScenario {
  const { callbacks, rate_limit, sender_ids } = readScenario(scenario).setup;
  const overlay: Overlay = {
    ...(callbacks && { urls: withTrust(callbacks, trusted) }),
    ...(rate_limit && { rate_limit }),
    ...(sender_ids && { sender_ids }),
  };
  const running = { scenario, since: at, off: [], trusted };
  return Object.keys(overlay).length === 0 ? running : { ...running, overlay };
}

/** Stops a scenario, or all of them if no name is given. Returns no events if there is none of that name. */
export function unloadScenarios(
  { scenarios }: StartingState,
  name: string | undefined,
  at: Instant,
): ScenariosChanged[] {
  const active = name === undefined ? [] : scenarios.filter(({ scenario }) => scenario.name !== name);
  return active.length === scenarios.length ? [] : [{ kind: "scenarios-changed", at, active, begun: [] }];
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
  readonly begun: readonly Scenario[];
}

/** Timeline steps at 0 are carried out at once, so that they do not depend on the clock's first tick. */
function begin(state: StartingState, { active, begun }: Activation, at: Instant): AccountEvent[] {
  const events: AccountEvent[] = [
    { kind: "scenarios-changed", at, active, begun: begun.map(({ name }) => name) },
    ...begun.flatMap((scenario) => {
      const { wallet } = readScenario(scenario).setup;
      return wallet === undefined ? [] : [walletSet(state, wallet.balance, at)];
    }),
  ];
  for (const scenario of begun) {
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

interface Step {
  readonly scenario: string;
  readonly step: number;
  readonly action: TimelineAction;
}

function stepEvents(state: StartingState, { scenario, step, action }: Step, at: Instant): AccountEvent[] {
  const { wallet, rate_limit: limit } = action;
  return [
    {
      kind: "timeline-stepped",
      at,
      scenario,
      step,
      ...(limit !== undefined && { rate_limit: limit === "none" ? null : limit }),
    },
    ...(wallet === undefined ? [] : [walletSet(state, changedBalance(state, wallet), at)]),
  ];
}

/** Returns the available balance after a change. */
function changedBalance({ wallet }: StartingState, change: NonNullable<TimelineAction["wallet"]>): Kes {
  const before = available(wallet);
  if (change.balance !== undefined) return change.balance;
  return cents(Math.min(before + (change.add ?? 0), LARGEST));
}

/** Limits the balance to what the wallet can store exactly besides its holds. */
function walletSet({ wallet }: StartingState, balance: Kes, at: Instant): AccountEvent {
  return { kind: "wallet-set", at, available: smallerKes(balance, cents(LARGEST - wallet.held)) };
}
