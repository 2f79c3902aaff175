import { expect, test } from "vitest";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

test("a transport that throws leaves a recorded try, a report, and nothing pending", async () => {
  const fault = new TypeError("the transport is broken");
  const { account, faults } = testWorld({
    account: { callbacks: callbacksTo("http://localhost:3000/hook") },
    answer: () => {
      throw fault;
    },
  });
  buyAirtime(account, 100);

  const { fired } = await account.advance({ by: 1_000 }, 1_000);

  expect(fired).toMatchObject([
    { attempt: 1, outcome: { kind: "blocked", reason: expect.stringContaining("the sandbox itself failed") } },
  ]);
  expect(faults).toEqual([fault]);
  expect(account.state.unresolved).toBe(0);
});
