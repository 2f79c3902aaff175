import { expect, test } from "vitest";
import { TRAFFIC_CHECKS } from "../../../src/verdict/checks/all-checks.ts";
import {
  accepted,
  appliedRules,
  cut,
  observationsOf,
  queried,
  refused,
  request,
} from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

const first = { isFirstOnConnection: true } as const;
const reset = appliedRules({ breakage: "reset" });

test("repeated-at-once: sees an order that came again at once after a reset of a connection that had been used before", () => {
  const seen = observationsOf("repeated-at-once", [
    accepted("one", 0, { rules: reset }),
    accepted("two", 0.003, { traits: first }),
  ]);

  expect(seen).toEqual([
    {
      subject: "airtime",
      seen: "KES 50.00 of airtime for 254712***678 came again 3 ms after its connection, which had been used before, broke (connection reset).",
      exchanges: [request("one"), request("two")],
    },
  ]);
});

test.each([
  ["before it was accepted", [cut("one", 0), accepted("two", 0.003, { traits: first })]],
  ["without an answer", [cut("one", 0, { breakage: "empty" }), accepted("two", 0.003, { traits: first })]],
  [
    "when the acknowledgment was due",
    [
      accepted("one", 0, { rules: appliedRules({ breakage: "reset", ack: { delay: 2_000 } }) }),
      accepted("two", 2.003, { traits: first }),
    ],
  ],
  ["and was refused the second time", [cut("one", 0), refused("two", 0.003, { code: 402, traits: first })]],
  ["and was reset again", [cut("one", 0), cut("two", 0.003)]],
  ["within the same millisecond", [cut("one", 0), accepted("two", 0, { traits: first })]],
  ["and the same comes once more", [cut("one", 0), accepted("two", 0.02, { traits: first }), accepted("three", 0.05)]],
  ["99 ms before", [cut("one", 0), accepted("two", 0.099, { traits: first })]],
])("repeated-at-once: sees it when the first was reset %s", (_, events) => {
  expect(observationsOf("repeated-at-once", events)).toHaveLength(1);
});

test.each([
  [
    "the connection was new, which no library repeats by itself",
    [cut("one", 0, { traits: first }), accepted("two", 0.003, { traits: first })],
  ],
  [
    "the second came before the first was reset",
    [
      accepted("one", 0, { rules: appliedRules({ breakage: "reset", ack: { delay: 2_000 } }) }),
      accepted("two", 1, { traits: first }),
    ],
  ],
  ["the application waited", [cut("one", 0), accepted("two", 0.1, { traits: first })]],
  ["it was another order", [cut("one", 0), accepted("two", 0.003, { order: airtime(60), traits: first })]],
  [
    "a part of an answer had come",
    [cut("one", 0, { breakage: "truncate", rules: appliedRules({ breakage: "truncate" }) }), accepted("two", 0.003)],
  ],
  ["nothing was reset", [accepted("one", 0), accepted("two", 0.003)]],
  ["it only asked for the balance", [queried("one", 0, { rules: reset }), queried("two", 0.003)]],
])("repeated-at-once: reports nothing when %s", (_, events) => {
  expect(observationsOf("repeated-at-once", events)).toEqual([]);
});

test("repeated-at-once: names no cause, which the bytes do not show, and the repairs for both", () => {
  const { title, why, repair } = TRAFFIC_CHECKS.find(({ id }) => id === "repeated-at-once") ?? {};

  expect(title).not.toMatch(/client|library/);
  expect(why).toMatch(/\bIf an HTTP library/);
  expect(repair).toMatch(/^If your own code .* your HTTP client does; turn that off/);
});
