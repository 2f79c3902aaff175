import { expect, test } from "vitest";
import { Tally } from "../../../src/control/tally.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { testWorld } from "../../support/gateway/world.ts";

const { account } = testWorld();

function attempted(outcome: CallbackOutcome): Tally {
  const tally = new Tally();
  tally.take(
    { kind: "attempted", at: 0, requestId: "gone", delivery: 1, attempt: 1, url: "", headers: {}, outcome, millis: 1 },
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
  expect(attempted(outcome).callbacks).toEqual(new Map([["unknown", new Map([[word, 1]])]]));
});
