import fc from "fast-check";
import { expect, test } from "vitest";
import { WaitingLine } from "../../src/engine/waiting-line.ts";

/** Somebody joins, or the first is asked for. */
const steps = fc.array(fc.oneof(fc.record({ joins: fc.nat() }), fc.constant("next" as const)));

test("whoever joined first comes first, however joining and leaving take turns", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const line = new WaitingLine<number>();
      const model: number[] = [];

      const came = taken.map((step) => (step === "next" ? line.next() : line.join(step.joins)));
      const expected = taken.map((step) => (step === "next" ? model.shift() : void model.push(step.joins)));

      expect(came).toEqual(expected);
    }),
  );
});
