import type { RunningScenario } from "../scenario/running-scenario.ts";
import type { AccountState } from "./state.ts";

/** The most contents that are counted. Beyond that, labels use the sequence number instead. */
export const COUNTED_CONTENTS = 100_000;

/** The most counters that are stored: those of contents, and as many of rules. */
export const KEPT_COUNTERS = 2 * COUNTED_CONTENTS;

/** With a scenario's seed, the run is not that of an account with this seed, which may have given the same ids before the start. */
const OF_SCENARIO = "any";

/** Returns what all draws of a run begin with: a seed alone, so that the run is the same on every account that has it. */
export function runLabel(state: AccountState): string {
  const seed = seededScenario(state)?.scenario.seed;
  return seed === undefined ? String(state.seed) : `${seed}|${OF_SCENARIO}`;
}

/** Returns a name for the start of the scenario that has the seed, unless it is the journal's first start with that seed. */
export function repeatedStart(state: AccountState): string | undefined {
  const { scenario, start } = seededScenario(state) ?? {};
  return scenario?.seed === undefined || state.seeds[scenario.seed] === start ? undefined : `start ${start}`;
}

/** Returns how often a content came before: since the start of the scenario that has the seed, or since the account was opened. */
export function occurrence(state: AccountState, key: number): string {
  const seeded = seededScenario(state);
  const [seen, isFull] =
    seeded === undefined
      ? [state.contents.get(key), state.contents.size >= COUNTED_CONTENTS]
      : [state.counters.get(contentCounter(seeded.start, key)), state.counters.size >= COUNTED_CONTENTS];
  return seen === undefined && isFull ? `request ${state.requests}` : String(seen ?? 0);
}

/** Returns the scenario that fixes the draws of a run. If several have a seed, the one with the highest priority wins. */
export function seededScenario({ scenarios }: AccountState): RunningScenario | undefined {
  return scenarios.find(({ scenario }) => scenario.seed !== undefined);
}

/** Names the counter of a content since a start. No rule's name begins with a space. */
export function contentCounter(start: number, content: number): string {
  return `#${start}/ ${content}`;
}
