import { expect, test } from "vitest";
import { BOUNDS, Tally } from "../../../src/control/tally.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { testWorld } from "../../support/gateway/world.ts";

const { account } = testWorld();

function attempted(outcome: CallbackOutcome, millis: number): Tally {
  const tally = new Tally();
  tally.take(
    { kind: "attempted", at: 0, requestId: "gone", delivery: 1, attempt: 1, url: "", headers: {}, outcome, millis },
    account.state,
  );
  return tally;
}

test.each<[CallbackOutcome, string]>([
  [{ kind: "answered", status: 200, body: "" }, "acknowledged"],
  [{ kind: "answered", status: 500, body: "" }, "not_200"],
  [{ kind: "redirect", status: 302, location: "/", body: "" }, "redirect"],
  [{ kind: "timed_out" }, "timed_out"],
  [{ kind: "blocked", reason: "no" }, "blocked"],
])("%j counts as %s, of no operation once its transaction was evicted", (outcome, word) => {
  expect(attempted(outcome, 1).callbacks).toEqual(new Map([["unknown", new Map([[word, 1]])]]));
});

test.each([
  [5, 0],
  [5.1, 1],
  [3_000, BOUNDS.length - 2],
])("%d ms are counted in bucket %i", (millis, bucket) => {
  const durations = attempted({ kind: "answered", status: 200, body: "" }, millis).durations.get("unknown");

  expect(durations).toEqual({ counts: BOUNDS.map((_, place) => (place === bucket ? 1 : 0)), count: 1, sum: millis });
});

test("longer than every bound is in no bucket of its own", () => {
  const durations = attempted({ kind: "timed_out" }, 10_001).durations.get("unknown");

  expect(durations).toEqual({ counts: BOUNDS.map(() => 0), count: 1, sum: 10_001 });
});

test("what never reached a receiver took no time", () => {
  expect(attempted({ kind: "refused" }, 2).durations.size).toBe(0);
});
