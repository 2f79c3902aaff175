import type { RequestEvent } from "./events.ts";
import { contentCounter, COUNTED_CONTENTS, KEPT_COUNTERS, seededScenario } from "./run-label.ts";
import type { AccountState } from "./state.ts";

/** Counts a request for the rules of scenarios, and its content for the scenario whose seed has fixed its draws. */
export function addCounts(state: AccountState, event: RequestEvent): void {
  for (const counter of event.rules?.counters ?? []) count(state.counters, keyOf(state, counter));
  const seeded = seededScenario(state);
  if (seeded === undefined) return;
  const counter = contentCounter(seeded.start, event.content);
  // A content that is new must not push out the counter of a rule.
  if (state.counters.has(counter) || state.counters.size < COUNTED_CONTENTS) count(state.counters, counter);
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

/** Returns how often a rule's counter was incremented since its scenario started. */
export function counterValue(state: AccountState, counter: string): number {
  return state.counters.get(keyOf(state, counter)) ?? 0;
}

/** A counter belongs to the start of its scenario, whatever that is called now; to its name if only a header plays it. */
function keyOf({ scenarios }: AccountState, counter: string): string {
  const [name = ""] = counter.split("/", 1);
  const running = scenarios.find(({ scenario }) => scenario.name === name);
  return running === undefined ? counter : `#${running.start}${counter.slice(name.length)}`;
}

export function forgetCounters({ counters }: AccountState, start: number): void {
  for (const counter of counters.keys()) if (counter.startsWith(`#${start}/`)) counters.delete(counter);
}
