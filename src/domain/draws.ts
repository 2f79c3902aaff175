/** Random values derived from a label. The same label always gives the same values. */
export interface Draws {
  /** Returns a UUID in version 4 format. */
  uuid(): string;
  /** Returns a number in [0, 1) for a purpose. The same purpose always gives the same number; different purposes are independent. */
  draw(purpose: string): number;
}

/** Randomness by label. A label names the seed, the account, the content, and how often that content came before. */
export interface LabelledRandom {
  digest(label: string): Draws;
}
