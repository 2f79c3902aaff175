import { expect, test } from "vitest";
import { accepted, appliedRules, clientLeft, observationsOf, refused } from "../../support/finding-events.ts";

const LATE = refused("one", 0, { code: 429, rules: appliedRules({ ack: { delay: 5_000 } }) });

test.each([
  ["before it, and sent again at once", [LATE, clientLeft("one", 0.5, 500), accepted("two", 0.6)], "500ms"],
  ["before it, and sent again after it", [LATE, clientLeft("one", 2), accepted("two", 9)], "2s"],
])("the order of a client that left %s, was sent again without knowing", (_, events, waited) => {
  const [observation] = observationsOf("repeated-order", events);

  expect(observation?.seen).toContain(
    `the first got no answer: your client left after ${waited}; it had not been accepted, but the client could not know that`,
  );
});

test("an order may be sent again once a late refusal has been read", () => {
  expect(observationsOf("repeated-order", [LATE, accepted("two", 9)])).toEqual([]);
});
