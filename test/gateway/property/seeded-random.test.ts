import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";

test("the same label gives the same everything, whoever asks first", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), (label, purposes) => {
      const forwards = seededRandom().digest(label);
      const backwards = seededRandom().digest(label);

      const drawnForwards = purposes.map((name) => forwards.draw(name));
      const drawnBackwards = purposes.toReversed().map((name) => backwards.draw(name));

      expect(drawnBackwards.toReversed()).toEqual(drawnForwards);
      expect(backwards.uuid()).toBe(forwards.uuid());
    }),
  );
});

test("an id is a UUID of version 4 in form", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (label) => {
      const id = seededRandom().digest(label).uuid();

      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }),
  );
});

test("a draw lies in [0, 1)", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (label, name) => {
      const drawn = seededRandom().digest(label).draw(name);

      expect(drawn >= 0 && drawn < 1).toBe(true);
    }),
  );
});

test("a fresh seed is a non-negative safe integer, and another one each time", () => {
  const random = seededRandom();

  const seeds = Array.from({ length: 100 }, () => random.freshSeed());

  expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
  expect(new Set(seeds).size).toBe(100);
});

test("a fresh id is another one each time", () => {
  const random = seededRandom();

  const ids = Array.from({ length: 100 }, () => random.freshId());

  expect(new Set(ids).size).toBe(100);
});
