import type { ActiveScenario } from "../domain/directive.ts";
import type { TimelineAction } from "../domain/scenario.ts";
import type { Instant } from "../domain/time.ts";
import type { Directed } from "./directed.ts";
import type { ScenariosChanged, TimelineStepped } from "./events.ts";
import { begin, end } from "./outages.ts";
import type { AccountState } from "./state.ts";

/** Counters that are remembered (DESIGN.md section 6). */
const KEPT_COUNTERS = 100_000;

/** Counts, and moves scenarios to the states that their rules say. */
export function applyDirected(state: AccountState, { counters, entered }: Directed): void {
  for (const counter of counters) count(state.counters, counter);
  for (const { scenario, state: named } of entered) change(state, scenario, (active) => ({ ...active, state: named }));
}

/** A counter that counts goes to the end, so that the first is the one that counted longest ago. */
function count(counters: Map<string, number>, counter: string): void {
  const before = counters.get(counter) ?? 0;
  counters.delete(counter);
  counters.set(counter, before + 1);
  if (counters.size <= KEPT_COUNTERS) return;
  const [oldest] = counters.keys();
  if (oldest !== undefined) counters.delete(oldest);
}

/** What a scenario that is gone, or begins anew, had taken away is given back; its steps and counters are forgotten. */
export function applyScenarios(state: AccountState, { at, active, begun, swapped = [] }: ScenariosChanged): void {
  const goesOn = new Set(active.map(({ scenario }) => scenario.name).filter((name) => !begun.includes(name)));
  for (const { scenario } of state.scenarios) if (!goesOn.has(scenario.name)) forgetCounters(state.counters, scenario.name);
  state.scenarios = active;
  const past = active.filter(({ scenario }) => swapped.includes(scenario.name)).flatMap((one) => stepsUntil(one, at));
  state.stepped = [...state.stepped.filter(({ scenario }) => goesOn.has(scenario) && !swapped.includes(scenario)), ...past];
  state.outages = state.outages.filter(({ scenario }) => goesOn.has(scenario));
}

function stepsUntil({ scenario, since }: ActiveScenario, at: Instant): { scenario: string; step: number }[] {
  return scenario.timeline.flatMap((step, index) => (since + step.at <= at ? [{ scenario: scenario.name, step: index }] : []));
}

function forgetCounters(counters: Map<string, number>, scenario: string): void {
  for (const counter of counters.keys()) if (counter.startsWith(`${scenario}/`)) counters.delete(counter);
}

/** What moves money or changes settings has an event of its own, which follows. */
export function applyStep(state: AccountState, { scenario, step }: TimelineStepped): void {
  const action = state.scenarios.find((active) => active.scenario.name === scenario)?.scenario.timeline[step]?.do;
  state.stepped = [...state.stepped, { scenario, step }];
  if (action !== undefined) act(state, scenario, action);
}

function act(state: AccountState, scenario: string, action: TimelineAction): void {
  switch (action.kind) {
    case "credentials":
      state.outages =
        action.are === "revoked" ? begin(state.outages, { scenario, kind: "credentials" }) : end(state.outages, { kind: "credentials" });
      return;
    case "sender-id": {
      const outage = { scenario, kind: "sender-id", senderId: action.senderId } as const;
      state.outages = action.is === "revoked" ? begin(state.outages, outage) : end(state.outages, outage);
      return;
    }
    case "carrier": {
      const outage = { scenario, kind: "carrier", carrier: action.carrier } as const;
      state.outages = action.is === "down" ? begin(state.outages, outage) : end(state.outages, outage);
      return;
    }
    case "rule":
      return change(state, scenario, (active) => switchRule(active, action));
    case "enter":
      return change(state, scenario, (active) => ({ ...active, state: action.state }));
    case "wallet":
    case "rate-limit":
      return;
  }
}

function change(state: AccountState, name: string, how: (active: ActiveScenario) => ActiveScenario): void {
  state.scenarios = state.scenarios.map((active) => (active.scenario.name === name ? how(active) : active));
}

function switchRule(active: ActiveScenario, { rule, is }: Extract<TimelineAction, { kind: "rule" }>): ActiveScenario {
  return { ...active, off: switched(active.off, rule, is) };
}

/** The rules that are off once one is switched. */
export function switched(off: readonly string[], rule: string, is: "on" | "off"): readonly string[] {
  const others = off.filter((name) => name !== rule);
  return is === "off" ? [...others, rule] : others;
}
