import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { doubleSpend } from "../../../src/verdict/checks/double-spend.ts";
import { repeatedOrder } from "../../../src/verdict/checks/repeated-order.ts";
import { Findings } from "../../../src/verdict/checks/findings.ts";
import type { Detector } from "../../../src/verdict/checks/check.ts";
import { airtime } from "../../support/gateway/world.ts";
import { accepted, attempted, clientLeft, cut, opened, refused, settled } from "../../support/finding-events.ts";

const seconds = fc.integer({ min: 1, max: 1_200 });
const order = fc.constantFrom(50, 100).map(airtime);
const request = fc.tuple(fc.constantFrom("accepted", "cut", "refused"), seconds, order);
const aftermath = fc.tuple(fc.constantFrom("left", "succeeded", "failed", "attempted"), seconds, fc.nat(8));

/** Orders of two contents in any fate, and what became of them, in their order of time. */
const course = fc.array(fc.oneof(request, aftermath), { maxLength: 12 }).map((steps) =>
  steps
    .toSorted(([, one], [, other]) => one - other)
    .map(([what, at, of], index): AccountEvent => {
      if (typeof of !== "number") return makeRequest(what, { at, id: `r${index}`, order: of });
      return makeAftermath(what, { at, id: `r${of}` });
    }),
);

/** The client left the first after a cut connection had come and gone, ten minutes later. */
const cutBetween: AccountEvent[] = [
  accepted("one", 0),
  cut("two", 601),
  clientLeft("one", 602),
  accepted("three", 602),
];

test("a detector sees beside the one that shares its memory what it sees alone", () => {
  fc.assert(
    fc.property(course, (events) => {
      const together = findingsOf([doubleSpend, repeatedOrder], events);

      expect(together.filter(({ id }) => id === "double-spend")).toEqual(findingsOf([doubleSpend], events));
      expect(together.filter(({ id }) => id === "repeated-order")).toEqual(findingsOf([repeatedOrder], events));
    }),
    { numRuns: 2_000, examples: [[cutBetween]] },
  );
});

function findingsOf(detectors: readonly Detector[], events: readonly AccountEvent[]) {
  const findings = new Findings({ detectors, settings: {}, report: () => {} });
  [opened(), ...events].forEach((event, index) => findings.take(event, index + 1));
  return findings.list();
}

function makeRequest(
  what: string,
  { at, id, order }: { at: number; id: string; order: ReturnType<typeof airtime> },
): AccountEvent {
  if (what === "accepted") return accepted(id, at, { order });
  return what === "cut" ? cut(id, at, { order }) : refused(id, at, { code: 422, order });
}

function makeAftermath(what: string, { at, id }: { at: number; id: string }): AccountEvent {
  if (what === "left") return clientLeft(id, at);
  return what === "attempted"
    ? attempted(id, at)
    : settled(id, at, { outcome: what === "failed" ? "failed" : "succeeded" });
}
