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
