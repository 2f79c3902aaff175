import type { RunningScenario } from "../../scenario/running-scenario.ts";
import { DEFAULT_SCENARIO } from "../../settings/defaults.ts";
import { cents, LARGEST, type Kes, smallerKes, subtractKes, available, credit } from "../../domain/kes.ts";
import { readScenario } from "../../scenario/read-scenario.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { firstMoment } from "../../scenario/step-moments.ts";
import type { TimelineAction } from "../../scenario/timeline-steps.ts";
import type { Instant } from "../../domain/time.ts";
import { switched } from "../apply-scenarios.ts";
import type { ScenariosChanged } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import type { AccountState } from "../state.ts";
import { setUp, settingsEvents, type StartingState, takeBack } from "./setup.ts";

/** A scenario to start, and whether it comes from this machine's owner. */
export interface ScenarioToStart {
  readonly scenario: Scenario;
  readonly trusted: boolean;
  /** Whether its rules are tried before those of all others. */
  readonly first?: boolean;
}

/** Starts scenarios: each replaces the active one of the same name, goes first if requested, and otherwise follows the active ones. */
export function loadScenarios(state: StartingState, loaded: readonly ScenarioToStart[], at: Instant): AccountEvent[] {
  const without = loaded.reduce((left, { scenario }) => takeBack(left, scenario.name), state);
  const { begun, after } = setUpAll(
    without,
    loaded.map(({ scenario, trusted }) => ({ scenario, since: at, off: [], trusted })),
  );
  const kept = state.scenarios.map(
    (one) => without.scenarios.find(({ scenario }) => scenario.name === one.scenario.name) ?? one,
  );
  const active = begun.reduce<readonly RunningScenario[]>(
    (others, one, index) => placed(others, one, loaded[index]?.first),
    kept,
  );
  return begin(state, { active, begun, after }, at);
}

/** Restarts the active scenarios after a reset, on an account without their setups. */
export function restartScenarios(state: StartingState, at: Instant): AccountEvent[] {
  if (state.scenarios.length === 0) return [];
  const { begun, after } = setUpAll(
    state,
    state.scenarios.map(({ scenario, trusted = false }) => ({ scenario, since: at, off: [], trusted })),
  );
  return begin(state, { active: begun, begun, after }, at);
}

function setUpAll(
  state: StartingState,
  starting: readonly RunningScenario[],
): { begun: RunningScenario[]; after: StartingState } {
  let after = state;
  const begun = starting.map((one) => {
    const done = setUp(after, one);
    after = done.state;
    return done.begun;
  });
  return { begun, after };
}

/** Stops a scenario, or all of them if no name is given. Returns no events if there is none of that name. */
export function unloadScenarios(state: StartingState, name: string | undefined, at: Instant): AccountEvent[] {
  const ended = state.scenarios.filter(({ scenario }) => name === undefined || scenario.name === name);
  if (ended.length === 0) return [];
  const after = ended.reduce((left, { scenario }) => takeBack(left, scenario.name), state);
  const changed: ScenariosChanged = { kind: "scenarios-changed", at, active: after.scenarios, begun: [] };
  return [changed, ...settingsEvents(state, after, at)];
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
  /** The account after their setups. */
  readonly after: StartingState;
}

/** Timeline steps at 0 are carried out at once, so that they do not depend on the clock's first tick. */
function begin(state: StartingState, { active, begun, after }: Activation, at: Instant): AccountEvent[] {
  const names = begun.map(({ scenario }) => scenario.name);
  const events: AccountEvent[] = [
    { kind: "scenarios-changed", at, active, begun: names },
    ...begun.flatMap(({ scenario }) => {
      const { wallet } = readScenario(scenario).setup;
      return wallet === undefined ? [] : [walletSet(state, wallet.balance, at)];
    }),
    ...settingsEvents(state, after, at),
  ];
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
