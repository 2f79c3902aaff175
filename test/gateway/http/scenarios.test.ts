import { expect, test } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { readRequests } from "../../../src/gateway/account/readings/requests.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { askDetails, callRaw, sendAirtime, sendMessage, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

test("two parallel requests never both take the last count of a counter", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, rule("when: { nth: 1 }, then: { refuse: 500 }"));

  const told = await Promise.all(
    Array.from({ length: 20 }, (_, index) => sendAirtime(sandbox, { amount: String(10 + index) })),
  );

  expect(told.filter(({ status }) => status === 500)).toHaveLength(1);
});

test("requests that are then answered 402 count", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ balance: "1.00" }] });
  await script(sandbox.account, rule("when: { nth: 2 }, then: { refuse: 403 }"));

  const told = [await sendAirtime(sandbox), await sendAirtime(sandbox), await sendAirtime(sandbox)];

  expect(told.map(({ status }) => status)).toEqual([402, 403, 402]);
});

test("replaces status and body of an acknowledgment, and the transaction goes on", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, rule('then: { ack: { status: 202, body: "taken" } }'));

  const response = await callRaw(sandbox, { body: VALID_AIRTIME });

  expect({ status: response.status, text: await response.text() }).toEqual({ status: 202, text: "taken" });
  expect(sandbox.account.state.wallet.held).toBe(9_500);
});

test("says nothing of rules where hints are off", async () => {
  await using sandbox = await startTestGateway({ hints: false });
  await script(sandbox.account, rule("then: { ack: { status: 201 } }"));

  const { headers } = await sendAirtime(sandbox);

  expect(headers.has("x-kredo-rule")).toBe(false);
});

test("keeps with each request which rules fired and which was nearest", async () => {
  await using sandbox = await startTestGateway();
  await script(
    sandbox.account,
    "rules: [{ name: big, when: { amount: { gte: 500 } }, then: { refuse: 403 } }, { name: all, then: { ack: { status: 201 } } }]",
  );

  await sendAirtime(sandbox);

  expect(readRequests(sandbox.account.journal.read())).toMatchObject([
    { rules: { fired: [{ scenario: "s", rule: "all" }], missed: { rule: "big", matcher: "amount" } } },
  ]);
});

test("answers account-details as a rule that names it says, and never twice the same draw", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, rule("when: { operation: account-details, probability: 0.5 }, then: { refuse: 500 }"));

  const told = await Promise.all(Array.from({ length: 20 }, () => askDetails(sandbox)));

  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200, 500]));
});

test("answers at once when the sandbox stops during a delay", async () => {
  await using sandbox = await startTestGateway({}, { pause: pauseOn(manualWallClock(0)) });
  await script(sandbox.account, rule("then: { ack: { delay: 1h } }"));

  const asked = sendAirtime(sandbox);
  await turns(5);
  await sandbox.running.close();

  expect((await asked).status).toBe(200);
});

test.each(["reset", "empty", "truncate", "garbage", "drip"])(
  "a connection broken by %s is a rejected fetch in process",
  async (kind) => {
    await using sandbox = await startTestGateway();
    await script(sandbox.account, rule(`then: { connection: ${kind}_after_accept }`));

    await expect(callRaw(sandbox, { body: VALID_AIRTIME })).rejects.toThrow(TypeError);

    expect(sandbox.account.state.wallet.held).toBe(9_500);
  },
);

test("a connection broken before acceptance costs nothing and is in the list of requests", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, rule("when: { first: 1 }, then: { connection: reset_before_accept }"));

  await expect(callRaw(sandbox, { body: VALID_AIRTIME })).rejects.toThrow(TypeError);
  const next = await sendAirtime(sandbox);

  expect(next.status).toBe(200);
  expect(readRequests(sandbox.account.journal.read())).toMatchObject([
    { statusCode: 0, operation: "airtime" },
    { statusCode: 200 },
  ]);
  expect(sandbox.account.state.transactions.size).toBe(1);
});

test("revoked credentials are 401 until they are restored", async () => {
  await using sandbox = await startTestGateway();
  await script(
    sandbox.account,
    "timeline: [{ at: 1s, do: { credentials: revoked } }, { at: 2s, do: { credentials: restored } }]",
  );

  const before = await askDetails(sandbox);
  await sandbox.account.advance({ by: 1_000 }, 5_000);
  const during = await askDetails(sandbox);
  await sandbox.account.advance({ by: 1_000 }, 5_000);
  const after = await askDetails(sandbox);

  expect([before, during, after].map(({ status }) => status)).toEqual([200, 401, 200]);
  expect(during.headers.get("x-kredo-hint")).toBe("the scenario s has revoked these credentials");
});

test("a revoked sender ID is 422", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, "timeline: [{ at: 0s, do: { sender_id: { SANDBOX: revoked } } }]");

  const told = await sendMessage(sandbox);

  expect(told).toMatchObject({ status: 422, body: { validation_errors: { sender_id: [expect.any(String)] } } });
});

test("the client gets its acknowledgment even if the receiver does not answer", async () => {
  await using receiver = await receiveHttp(() => {});
  await using sandbox = await startTestGateway();
  setCallbacks(sandbox.account, callbacksTo(receiver.url, { timeout: 20 }));
  await script(sandbox.account, rule("then: { callback: { before_ack: true } }"));

  const { status } = await sendAirtime(sandbox);

  expect(status).toBe(200);
});
