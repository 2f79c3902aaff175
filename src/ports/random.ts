import type { LabelledRandom } from "../domain/draws.ts";

/** Where chance comes from: by label it is repeatable, fresh it is not. */
export interface Random extends LabelledRandom {
  /** A seed nobody has seen: a non-negative safe integer. */
  freshSeed(): number;
  /** A version 4 UUID from the system's entropy, fit for a secret. */
  freshId(): string;
}
