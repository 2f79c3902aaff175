import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMap } from "../../../src/gateway/account/readings/recent-map.ts";

test("says what it holds until it is deleted", () => {
  const recent = new RecentMap<string, number>();

  recent.set("a", 1);
  const before = recent.has("a");
  recent.delete("a");

  expect({ before, a: recent.has("a") }).toEqual({ before: true, a: false });
});

test("holds its limit at most, and always the half that was written last", () => {
  const written = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 200 });

  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 10 }), (keys, half) => {
      const recent = new RecentMap<number, number>(half * 2);
      keys.forEach((key, index) => recent.set(key, index));
      const last = [...new Set(keys.toReversed())].slice(0, half);

      expect(Array.from({ length: 31 }, (_, key) => key).filter((key) => recent.has(key)).length).toBeLessThanOrEqual(
        half * 2,
      );
      expect(last.map((key) => recent.get(key))).toEqual(last.map((key) => keys.lastIndexOf(key)));
    }),
  );
});
