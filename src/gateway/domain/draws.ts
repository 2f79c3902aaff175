import { LONGEST_DURATION, type Millis } from "./time.ts";

/** Random values derived from a label. The same label always gives the same values. */
export interface Draws {
  /** Returns a UUID in version 4 format. */
  uuid(): string;
  /** Returns a number in [0, 1) for a purpose. The same purpose always gives the same number; different purposes are independent. */
  draw(purpose: string): number;
}

/** Randomness by label. A label names the seed, the content, and how often that content came before. */
export interface LabelledRandom {
  digest(label: string): Draws;
}

/** The source of randomness: `digest` is repeatable by label, the `fresh` functions are not. */
export interface Random extends LabelledRandom {
  /** Returns a new random seed: a non-negative safe integer. */
  freshSeed(): number;
  /** Returns a random version 4 UUID, secure enough for a secret. */
  freshId(): string;
}

/**
 * Hashes a text to a 53-bit number, the same on every machine. Two 32-bit lanes read each UTF-16 unit with different multipliers and are
 * mixed at the end. Among 100,000 contents, the chance that two share a key is 1 in 1,800,000. Not safe against deliberate collisions.
 */
export function contentKey(text: string): number {
  let low = 0x9e3779b9;
  let high = 0x7f4a7c15;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high + unit, 0x5bd1e995);
    high ^= high >>> 15;
  }
  const lowWord = mix32(low ^ mix32(high)) >>> 0;
  const highWord = mix32(high ^ lowWord) >>> 11;
  return highWord * 2 ** 32 + lowWord;
}

/** Mixes the bits of a 32-bit word, one to one: two multiplications between three shifts, as in the MurmurHash3 finalizer. */
export function mix32(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** How long something takes: constant, evenly distributed between two bounds, or lognormal like network latencies. */
export type Delay =
  | { fixed: Millis }
  | { uniform: readonly [Millis, Millis] }
  | { lognormal: { median: Millis; sigma: number } };

/** Draws a delay in whole milliseconds, at most the longest duration that can be written. */
export function drawDelay(delay: Delay, draws: Draws, purpose: string): Millis {
  if ("fixed" in delay) return delay.fixed;
  if ("uniform" in delay) {
    const [least, most] = delay.uniform;
    return Math.round(least + draws.draw(purpose) * (most - least));
  }
  const { median, sigma } = delay.lognormal;
  return Math.min(Math.round(median * Math.exp(sigma * drawNormal(draws, purpose))), LONGEST_DURATION);
}

/** Draws a standard normal number by the Box-Muller transform. */
function drawNormal(draws: Draws, purpose: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.draw(purpose)));
  return radius * Math.cos(2 * Math.PI * draws.draw(`${purpose} angle`));
}
