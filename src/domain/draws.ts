/** What one label decides; the same label decides the same. */
export interface Draws {
  /** A UUID of version 4 in form. */
  uuid(): string;
  /** A number in [0, 1) for a purpose: the same purpose draws the same number, different ones are independent. */
  draw(purpose: string): number;
}

/** Chance by label: it names the seed, the account, the content, and how often that came before. */
export interface LabelledRandom {
  digest(label: string): Draws;
}
