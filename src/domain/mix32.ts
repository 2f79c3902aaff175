/** Spreads every bit of a 32-bit word over all of them, one to one: two multiplications between three shifts, as murmur3's finaliser has them. */
export function mix32(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
