import { expect, test } from "vitest";
import { twister } from "../../src/adapters/twister.ts";

// The first numbers of the authors' own output for this seed (mt19937ar.out: 1067595299 955945823, 477289528 4107218783).
test("gives what its authors printed for their own seeds", () => {
  const random = twister([0x123, 0x234, 0x345, 0x456]);

  const drawn = [random(), random()];

  expect(drawn).toEqual([fromWords(1_067_595_299, 955_945_823), fromWords(477_289_528, 4_107_218_783)]);
});

test("goes on past the words that it keeps", () => {
  const random = twister([7, 0]);

  const drawn = Array.from({ length: 2_000 }, random);

  expect(new Set(drawn).size).toBe(2_000);
  expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true);
});

function fromWords(high: number, low: number): number {
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
}
