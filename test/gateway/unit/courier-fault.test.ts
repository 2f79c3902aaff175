import { expect, test } from "vitest";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
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
  expect(account.state.pending).toBe(0);
});

test("a retry whose callback URL was removed meanwhile is recorded without a URL, and is not sent", async () => {
  const callbacks = callbacksTo("http://localhost:3000/hook", {
    retry: { attempts: 2, spacing: [700], on: ["reset"] },
  });
  const { account, sent } = testWorld({ account: { callbacks }, answer: () => ({ kind: "reset" }) });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  setCallbacks(account, { ...callbacks, urls: {} });

  const { fired } = await account.advance({ by: 1_000 }, 1_000);

  expect(fired).toMatchObject([
    { attempt: 2, url: "", outcome: { kind: "blocked", reason: expect.stringContaining("was removed") } },
  ]);
  expect({ sent: sent.length, pending: account.state.pending }).toEqual({ sent: 1, pending: 0 });
});
