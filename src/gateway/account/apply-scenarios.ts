import type { RunningScenario } from "../scenario/running-scenario.ts";
import { firstMoment } from "../scenario/step-moments.ts";
import type { WrittenAction } from "../scenario/timeline-steps.ts";
import { CARRIERS } from "../domain/carrier.ts";
import type { Instant } from "../domain/time.ts";
import type { AppliedRules } from "../scenario/applied-rules.ts";
import type { ScenariosChanged, TimelineStepped } from "./events.ts";
import { begin, end } from "./outages.ts";
import type { AccountState, Outage } from "./state.ts";

/** The most counters that are stored. */
const KEPT_COUNTERS = 100_000;

export function applyRules(state: AccountState, { counters }: AppliedRules): void {
  for (const counter of counters) count(state.counters, counter);
}

/** Moves an incremented counter to the end, so that the first one is the least recently used. */
function count(counters: Map<string, number>, counter: string): void {
  const before = counters.get(counter) ?? 0;
  counters.delete(counter);
  counters.set(counter, before + 1);
  if (counters.size <= KEPT_COUNTERS) return;
  const [oldest] = counters.keys();
  if (oldest !== undefined) counters.delete(oldest);
}

/** Applies a change of scenarios. Restores what scenarios that ended or restarted had taken away, and forgets their steps and counters. */
export function applyScenarios(state: AccountState, { at, active, begun, swapped = [] }: ScenariosChanged): void {
  const goesOn = new Set(active.map(({ scenario }) => scenario.name).filter((name) => !begun.includes(name)));
  for (const { scenario } of state.scenarios)
    if (!goesOn.has(scenario.name)) forgetCounters(state.counters, scenario.name);
  state.scenarios = active;
  const past = active.filter(({ scenario }) => swapped.includes(scenario.name)).flatMap((one) => stepsUntil(one, at));
  state.stepped = [
    ...state.stepped.filter(({ scenario }) => goesOn.has(scenario) && !swapped.includes(scenario)),
    ...past,
  ];
  state.outages = state.outages.filter(({ scenario }) => goesOn.has(scenario));
}

function stepsUntil({ scenario, since }: RunningScenario, at: Instant): AccountState["stepped"] {
  return (scenario.timeline ?? []).flatMap((step, index) =>
    firstMoment(step, since) <= at ? [{ scenario: scenario.name, step: index, at }] : [],
  );
}

/** Returns when a step was last carried out. */
export function lastStepped(stepped: AccountState["stepped"], scenario: string, step: number): Instant | undefined {
  return stepped.find((done) => done.scenario === scenario && done.step === step)?.at;
}

function forgetCounters(counters: Map<string, number>, scenario: string): void {
  for (const counter of counters.keys()) if (counter.startsWith(`${scenario}/`)) counters.delete(counter);
}

/** Applies a timeline step. Money is changed by an event of its own, which follows. */
export function applyStep(state: AccountState, { at, scenario, step, rate_limit }: TimelineStepped): void {
  const action = state.scenarios.find((active) => active.scenario.name === scenario)?.scenario.timeline?.[step]?.do;
  const others = state.stepped.filter((done) => done.scenario !== scenario || done.step !== step);
  state.stepped = [...others, { scenario, step, at }];
  if (action !== undefined) act(state, scenario, action);
  if (rate_limit !== undefined)
    change(state, scenario, (active) => ({ ...active, overlay: { ...active.overlay, rate_limit } }));
}

function act(state: AccountState, scenario: string, action: WrittenAction): void {
  state.outages = outagesOf(action, scenario).reduce(
    (outages, { outage, isOver }) => (isOver ? end(outages, outage) : begin(outages, outage)),
    state.outages,
  );
  for (const [rule, is] of Object.entries(action.rule ?? {}))
    change(state, scenario, (active) => ({ ...active, off: switched(active.off, rule, is) }));
}

interface OutageChange {
  readonly outage: Outage;
  readonly isOver: boolean;
}

function outagesOf(
  { credentials, sender_id: senderIds = {}, carrier = {} }: WrittenAction,
  scenario: string,
): OutageChange[] {
  return [
    ...(credentials === undefined
      ? []
      : [{ outage: { scenario, kind: "credentials" }, isOver: credentials === "restored" } as const]),
    ...Object.entries(senderIds).map(
      ([senderId, is]) => ({ outage: { scenario, kind: "sender-id", senderId }, isOver: is === "restored" }) as const,
    ),
    ...CARRIERS.flatMap((name) =>
      carrier[name] === undefined
        ? []
        : [{ outage: { scenario, kind: "carrier", carrier: name }, isOver: carrier[name] === "up" } as const],
    ),
  ];
}

function change(state: AccountState, name: string, how: (active: RunningScenario) => RunningScenario): void {
  state.scenarios = state.scenarios.map((active) => (active.scenario.name === name ? how(active) : active));
}

export function switched(off: readonly string[], rule: string, is: "on" | "off"): readonly string[] {
  const others = off.filter((name) => name !== rule);
  return is === "off" ? [...others, rule] : others;
}
