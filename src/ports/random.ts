import type { LabelledRandom } from "../domain/draws.ts";

/** The source of randomness: `digest` is repeatable by label, the `fresh` functions are not. */
export interface Random extends LabelledRandom {
  /** Returns a new random seed: a non-negative safe integer. */
  freshSeed(): number;
  /** Returns a random version 4 UUID, secure enough for a secret. */
  freshId(): string;
}
