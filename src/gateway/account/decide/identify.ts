import { contentKey, type Draws, type LabelledRandom } from "../../domain/draws.ts";
import { COUNTED_CONTENTS } from "../apply.ts";
import type { AccountState } from "../state.ts";

export interface RequestIdentity {
  readonly content: number;
  readonly draws: Draws;
}

/**
 * Identifies a request by the seed, the account, its content and how often that content came before. So the order in which parallel
 * requests arrive changes nobody's id, delays or outcome.
 */
export function identify(state: AccountState, content: string, random: LabelledRandom): RequestIdentity {
  const key = contentKey(content);
  const label = `${runLabel(state)}|${content}|${occurrence(state, key)}`;
  const draws = random.digest(label);
  return {
    content: key,
    draws: state.rehearsal === undefined ? draws : rehearsed(draws, `${label}|${state.rehearsal}`, random),
  };
}

/**
 * Returns the draws of a rehearsal, whose delays and outcomes repeat by the seed, but not its ids: an application remembers the ids of
 * earlier rehearsals, and the gateway never gives one to two orders.
 */
function rehearsed(draws: Draws, label: string, random: LabelledRandom): Draws {
  return { draw: (purpose) => draws.draw(purpose), uuid: () => random.digest(label).uuid() };
}

/** With a scenario's seed, the run is the same on every account. */
const ANY_ACCOUNT = "any";

/** Returns the seed and account that all draws of a run begin with. If several scenarios have a seed, the one with the highest priority wins. */
export function runLabel({ scenarios, seed, settings }: AccountState): string {
  const fixing = scenarios.find(({ scenario }) => scenario.seed !== undefined)?.scenario;
  return fixing === undefined ? `${seed}|${settings.consumer_key}` : `${fixing.seed}|${ANY_ACCOUNT}`;
}

function occurrence(state: AccountState, key: number): string {
  const seen = state.contents.get(key);
  if (seen !== undefined) return String(seen);
  return state.contents.size < COUNTED_CONTENTS ? "0" : `request ${state.requests}`;
}
