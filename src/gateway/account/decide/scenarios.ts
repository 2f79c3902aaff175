import type { RunningScenario } from "../../scenario/running-scenario.ts";
import { DEFAULT_SCENARIO } from "../../settings/defaults.ts";
import { cents, LARGEST_KES, type Kes, smallerKes, subtractKes, available, credit } from "../../domain/kes.ts";
import { readScenario } from "../../scenario/read-scenario.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { byLastRun, firstMoment, lastRun } from "../../scenario/step-moments.ts";
import type { TimelineAction } from "../../scenario/timeline-steps.ts";
import type { Instant } from "../../domain/time.ts";
import { afterStep, switchedRule } from "../apply-scenarios.ts";
import type { Opened, ScenariosChanged } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import { type AccountState, inOrderOfStart, initialState } from "../state.ts";
import type { Overlay } from "../../settings/account-settings.ts";
import { withTrust } from "../../settings/callbacks.ts";

/** What starting and ending a scenario depends on. */
type StartingState = Pick<AccountState, "scenarios" | "wallet" | "starts">;

/** A scenario to start, and whether it comes from this machine's owner. */
export interface ScenarioToStart {
  readonly scenario: Scenario;
  readonly trusted: boolean;
  /** Whether its rules are tried before those of all others. */
  readonly first?: boolean;
}

/** Starts scenarios: each replaces the active one of the same name, goes first if requested, and otherwise follows the active ones. */
export function startScenarios(state: StartingState, loaded: readonly ScenarioToStart[], at: Instant): AccountEvent[] {
  const active = loaded.reduce(
    (others, { scenario, trusted, first }, index) =>
      placed(others, started(scenario, trusted, { at, start: state.starts + index }), first),
    state.scenarios,
  );
  return begin(state, { active, begun: loaded.map(({ scenario }) => scenario) }, at);
}

/** Starts the scenarios of an account again that has just been opened, in the order in which they started before. */
export function restartScenarios(opened: Opened, scenarios: readonly RunningScenario[]): AccountEvent[] {
  if (scenarios.length === 0) return [];
  const inOrder = inOrderOfStart(scenarios);
  const active = scenarios.map((one) => ({
    ...started(one.scenario, one.trusted ?? false, { at: opened.at, start: inOrder.indexOf(one) }),
    ...(one.registered && { registered: one.registered }),
  }));
  return begin(initialState(opened), { active, begun: inOrder.map(({ scenario }) => scenario) }, opened.at);
}

interface Start {
  readonly at: Instant;
  readonly start: number;
}

/** Returns a scenario as it runs from its start, with what its setup lays over the account's settings. */
function started(scenario: Scenario, trusted: boolean, { at, start }: Start): RunningScenario {
  return { scenario, since: at, start, off: [], trusted, overlay: setupOverlay(scenario, trusted) };
}

function setupOverlay(scenario: Scenario, trusted: boolean): Overlay {
  const { callbacks, rate_limit, sender_ids, numbers } = readScenario(scenario).setup;
  return {
    ...(callbacks && { urls: withTrust(callbacks, trusted) }),
    ...(rate_limit && { rate_limit }),
    ...(sender_ids && { sender_ids }),
    ...(numbers?.ported && { ported: numbers.ported }),
  };
}

/** Stops a scenario, or all of them if no name is given. Returns no events if there is none of that name. */
export function stopScenarios({ scenarios }: StartingState, name: string | undefined, at: Instant): ScenariosChanged[] {
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
    one.scenario.name === name ? { ...one, off: switchedRule(one.off, rule, is) } : one,
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
 * Replaces a scenario with its new version; its time, its counters and the money stay. Whatever else the new version would have set by now
 * is in force at once. Returns undefined if it is not active, or if the new name is taken.
 */
export function swapScenario(
  { scenarios }: StartingState,
  { was, ...version }: Swap,
  at: Instant,
): ScenariosChanged | undefined {
  const { name } = version.scenario;
  const isTaken = name !== was && scenarios.some((one) => one.scenario.name === name);
  if (isTaken || !scenarios.some((one) => one.scenario.name === was)) return undefined;
  const active = scenarios.map((one) => (one.scenario.name === was ? swapped(one, version, at) : one));
  return { kind: "scenarios-changed", at, active, begun: [], swapped: [name] };
}

function swapped(
  before: RunningScenario,
  { scenario, trusted = before.trusted ?? false }: Omit<Swap, "was">,
  at: Instant,
): RunningScenario {
  const names = scenario.rules?.map(({ name }) => name) ?? [];
  const overlay = overlayAt(scenario, trusted, before.since, at);
  // With what carriers have approved in the meantime.
  const { sender_ids } = isSame(before.scenario.setup?.sender_ids, scenario.setup?.sender_ids)
    ? before.overlay
    : overlay;
  return {
    ...before,
    scenario,
    trusted,
    off: before.off.filter((rule) => names.includes(rule)),
    overlay: { ...overlay, ...(sender_ids && { sender_ids }) },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns what a scenario has set by a moment: by its setup and by the steps that were due, the latest last. */
function overlayAt(scenario: Scenario, trusted: boolean, since: Instant, at: Instant): Overlay {
  return readScenario(scenario)
    .timeline.flatMap((step) => {
      const run = lastRun(step, since, at);
      return run === undefined ? [] : [{ action: step.do, run }];
    })
    .toSorted((one, other) => byLastRun(one.run, other.run))
    .reduce((overlay, { action }) => afterStep(overlay, action, limitSetBy(action)), setupOverlay(scenario, trusted));
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
  const { wallet } = action;
  const limit = limitSetBy(action);
  return [
    {
      kind: "timeline-stepped",
      at,
      scenario,
      step,
      ...(limit !== undefined && { rate_limit: limit }),
    },
    ...(wallet === undefined ? [] : [walletSet(state, changedBalance(state, wallet), at)]),
  ];
}

/** Returns what a step makes of the rate limit; `null` lifts it. */
function limitSetBy({ rate_limit: limit }: TimelineAction): Overlay["rate_limit"] {
  return limit === "none" ? null : limit;
}

/** Returns the available balance after a change. */
function changedBalance({ wallet }: StartingState, change: NonNullable<TimelineAction["wallet"]>): Kes {
  const before = available(wallet);
  if (change.balance !== undefined) return change.balance;
  return cents(Math.min(before + (change.add ?? 0), LARGEST_KES));
}

/** Limits the balance to what the wallet can store exactly besides its holds. */
function walletSet({ wallet }: StartingState, balance: Kes, at: Instant): AccountEvent {
  return { kind: "wallet-set", at, available: smallerKes(balance, cents(LARGEST_KES - wallet.held)) };
}
