import { contentKey, type Draws, type LabelledRandom } from "../../domain/draws.ts";
import type { RunIdentity } from "../../scenario/setup.ts";
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
  return { content: key, draws: random.digest(`${label(state)}|${content}|${occurrence(state, key)}`) };
}

/** With a scenario's seed, the run is the same on every account. */
const ANY_ACCOUNT = "any";

/** Returns the seed and account used to identify requests. If several scenarios set them, the one with the highest priority wins. */
export function identityOf({ scenarios, seed, settings }: AccountState): RunIdentity {
  const fixing = scenarios.find(
    ({ scenario }) => scenario.setup.identity !== undefined || scenario.seed !== undefined,
  )?.scenario;
  if (fixing?.seed !== undefined) return fixing.setup.identity ?? { seed: fixing.seed, account: ANY_ACCOUNT };
  return fixing?.setup.identity ?? { seed, account: settings.consumer_key };
}

function label(state: AccountState): string {
  const { seed, account } = identityOf(state);
  return `${seed}|${account}`;
}

function occurrence(state: AccountState, key: number): string {
  const seen = state.contents.get(key);
  if (seen !== undefined) return String(seen);
  return state.contents.size < COUNTED_CONTENTS ? "0" : `request ${state.requests}`;
}
