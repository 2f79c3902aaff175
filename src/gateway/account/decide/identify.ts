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
  return { content: key, draws: random.digest(`${runLabel(state)}|${content}|${occurrence(state, key)}`) };
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
