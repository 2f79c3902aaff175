import type { RunningScenario } from "../scenario/running-scenario.ts";
import { firstMoment, nextMoment } from "../scenario/step-moments.ts";
import type { WrittenAction } from "../scenario/timeline-steps.ts";
import type { Instant } from "../domain/time.ts";
import type { Overlay } from "../settings/account-settings.ts";
import { forgetCounters } from "./counters.ts";
import type { ScenariosChanged, TimelineStepped } from "./events.ts";
import type { AccountState, Stepped } from "./state.ts";

/** Applies a change of scenarios. Forgets the steps and counters of those that ended or restarted. */
export function applyScenarios(state: AccountState, { at, active, begun, swapped = [] }: ScenariosChanged): void {
  const goesOn = new Set(active.map(({ scenario }) => scenario.name).filter((name) => !begun.includes(name)));
  const starts = new Set(active.map(({ start }) => start));
  for (const { start } of state.scenarios) if (!starts.has(start)) forgetCounters(state, start);
  state.scenarios = active;
  state.starts += begun.length;
  for (const { scenario, start } of active)
    if (scenario.seed !== undefined && begun.includes(scenario.name))
      state.seeds = { [scenario.seed]: start, ...state.seeds };
  const number = state.events;
  state.scheduled = new Map(
    active.map(({ scenario: { name } }) => [
      name,
      goesOn.has(name) && !swapped.includes(name) ? (state.scheduled.get(name) ?? number) : number,
    ]),
  );
  const past = active
    .filter(({ scenario }) => swapped.includes(scenario.name))
    .flatMap((one) => stepsUntil(one, at, number));
  state.stepped = [
    ...state.stepped.filter(({ scenario }) => goesOn.has(scenario) && !swapped.includes(scenario)),
    ...past,
  ];
}

function stepsUntil({ scenario, since }: RunningScenario, at: Instant, number: number): Stepped[] {
  return (scenario.timeline ?? []).flatMap((step, index) =>
    firstMoment(step, since) <= at ? [{ scenario: scenario.name, step: index, at, number }] : [],
  );
}

/** Returns when a step was last carried out. */
export function lastStepped(stepped: readonly Stepped[], scenario: string, step: number): Stepped | undefined {
  return stepped.find((done) => done.scenario === scenario && done.step === step);
}

/** Applies a timeline step. Money is changed by an event of its own, which follows. */
export function applyStep(state: AccountState, { at, scenario: name, step, rate_limit }: TimelineStepped): void {
  const others = state.stepped.filter((done) => done.scenario !== name || done.step !== step);
  // When it was due, not when it happened: after a leap of time, each repetition still comes.
  const done = { scenario: name, step, at: nextDue(state, name, step) ?? at, number: state.events };
  state.stepped = [...others, done];
  state.scenarios = state.scenarios.map((one) => {
    const action = one.scenario.name === name ? one.scenario.timeline?.[step]?.do : undefined;
    return action === undefined ? one : stepTaken(one, action, rate_limit);
  });
}

/** Returns when a step is due next; undefined once it is done, or if there is none. */
export function nextDue({ scenarios, stepped }: AccountState, name: string, step: number): Instant | undefined {
  const running = scenarios.find(({ scenario }) => scenario.name === name);
  const timed = running?.scenario.timeline?.[step];
  return timed && nextMoment(timed, running.since, lastStepped(stepped, name, step)?.at);
}

function stepTaken(running: RunningScenario, action: WrittenAction, limit: Overlay["rate_limit"]): RunningScenario {
  const off = Object.entries(action.rule ?? {}).reduce((off, [rule, is]) => switchedRule(off, rule, is), running.off);
  return { ...running, off, overlay: afterStep(running.overlay, action, limit) };
}

/** Returns an overlay with what a step sets, and with what the step makes of the rate limit. */
export function afterStep(
  overlay: Overlay,
  { credentials, sender_id, carrier }: Pick<WrittenAction, "credentials" | "sender_id" | "carrier">,
  limit: Overlay["rate_limit"],
): Overlay {
  return {
    ...overlay,
    ...(limit !== undefined && { rate_limit: limit }),
    ...(credentials && { credentials }),
    ...(sender_id && { sender_id: { ...overlay.sender_id, ...sender_id } }),
    ...(carrier && { carrier: { ...overlay.carrier, ...carrier } }),
  };
}

export function switchedRule(off: readonly string[], rule: string, is: "on" | "off"): readonly string[] {
  const others = off.filter((name) => name !== rule);
  return is === "off" ? [...others, rule] : others;
}
