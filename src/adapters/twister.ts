/**
 * The generator MT19937 (Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8, 1998), seeded by an array as the authors'
 * version of 2002 is. Numbers have 53 bits and lie from 0 to below 1.
 */
export function twister(seeds: readonly number[]): () => number {
  const words = seededWords(seeds);
  let next = SIZE;
  const word = (): number => {
    if (next === SIZE) {
      regenerate(words);
      next = 0;
    }
    next += 1;
    return temper(at(words, next - 1));
  };
  return () => {
    const high = word() >>> 5;
    const low = word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}

/** Words of the state, and how far apart those are that are mixed. */
const SIZE = 624;
const APART = 397;

function seededWords(seeds: readonly number[]): Uint32Array {
  const words = countedWords(19_650_218);
  let index = 1;
  const step = (factor: number, added: (index: number) => number): void => {
    const before = at(words, index - 1);
    words[index] = (at(words, index) ^ Math.imul(before ^ (before >>> 30), factor)) + added(index);
    index += 1;
    if (index < SIZE) return;
    words[0] = at(words, SIZE - 1);
    index = 1;
  };
  for (let turn = 0; turn < Math.max(SIZE, seeds.length); turn += 1) {
    const place = turn % seeds.length;
    step(1_664_525, () => (seeds[place] ?? 0) + place);
  }
  for (let turn = 1; turn < SIZE; turn += 1) step(1_566_083_941, (index) => -index);
  words[0] = 0x80000000;
  return words;
}

function countedWords(seed: number): Uint32Array {
  const words = new Uint32Array(SIZE);
  words[0] = seed;
  for (let index = 1; index < SIZE; index += 1) {
    const before = at(words, index - 1);
    words[index] = Math.imul(before ^ (before >>> 30), 1_812_433_253) + index;
  }
  return words;
}

function regenerate(words: Uint32Array): void {
  for (let index = 0; index < SIZE; index += 1) {
    const joined = (at(words, index) & 0x80000000) | (at(words, (index + 1) % SIZE) & 0x7fffffff);
    words[index] = at(words, (index + APART) % SIZE) ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
  }
}

function temper(word: number): number {
  let tempered = word ^ (word >>> 11);
  tempered ^= (tempered << 7) & 0x9d2c5680;
  tempered ^= (tempered << 15) & 0xefc60000;
  return (tempered ^ (tempered >>> 18)) >>> 0;
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}
