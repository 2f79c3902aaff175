import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMap } from "../../../src/gateway/account/readings/recent-map.ts";

test("forgets what was written longest ago once it is full", () => {
  const recent = new RecentMap<string, number>(4);

  recent.set("a", 1);
  recent.set("b", 2);
  recent.set("c", 3);
  recent.set("d", 4);
  recent.set("e", 5);

  expect({
    a: recent.get("a"),
    b: recent.get("b"),
    c: recent.get("c"),
    d: recent.get("d"),
    e: recent.get("e"),
  }).toEqual({ a: undefined, b: undefined, c: 3, d: 4, e: 5 });
});

test("keeps what is written anew", () => {
  const recent = new RecentMap<string, number>(4);

  recent.set("a", 1);
  recent.set("b", 2);
  recent.set("c", 3);
  recent.set("a", 4);
  recent.set("d", 5);

  expect({ a: recent.get("a"), b: recent.has("b"), d: recent.get("d") }).toEqual({ a: 4, b: false, d: 5 });
});

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
