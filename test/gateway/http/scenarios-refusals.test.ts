import { expect, test } from "vitest";
import {
  askDetails,
  callGateway,
  DETAILS,
  sendAirtime,
  sendMessage,
  type GatewayAnswer,
} from "../../support/gateway/gateway-client.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { type PlayedScenario, playShipped, walletOf } from "../../support/gateway/shipped.ts";

test("credentials-revoked-mid-run: 401 from 30 s to 90 s, and what was accepted before is carried out meanwhile", async () => {
  await using played = await playShipped("credentials-revoked-mid-run", { settings: { latency_ms: 40_000 } });

  const before = await sendAirtime(played);
  await played.advance(29.999);
  const last = await askDetails(played);
  await played.advance(0.001);
  const shut = [await sendAirtime(played), await sendMessage(played), await askDetails(played)];
  await played.advance(59.999);
  const still = await askDetails(played);
  const meanwhile = played.callbacks();
  await played.advance(0.001);
  const restored = await sendAirtime(played);

  expect(statusesOf([before, last, ...shut, still, restored])).toEqual([200, 200, 401, 401, 401, 401, 200]);
  expect(meanwhile).toMatchObject([{ request_id: before.body["request_id"], charge: 95, result_code: 200 }]);
});

test("secret-rotated: the old secret gets 401 from 30 s to 90 s, the new one at all other times", async () => {
  await using played = await playShipped("secret-rotated", { settings: { latency_ms: 40_000 } });
  const withNew = { headers: { authorization: basic("sandbox-key", "rotated-secret") } };
  const askBoth = async (): Promise<number[]> =>
    statusesOf([await askDetails(played), await callGateway(played, { path: DETAILS, method: "GET", ...withNew })]);

  const before = await sendAirtime(played);
  await played.advance(29.999);
  const last = await askBoth();
  await played.advance(0.001);
  const rotated = await askBoth();
  const hint = (await sendAirtime(played)).headers.get("x-kredo-hint");
  await played.advance(59.999);
  const still = await askBoth();
  const meanwhile = played.callbacks();
  await played.advance(0.001);
  const undone = await askBoth();

  expect({ last, rotated, still, undone }).toEqual({
    last: [200, 401],
    rotated: [401, 200],
    still: [401, 200],
    undone: [200, 401],
  });
  expect(hint).toBe(
    "the consumer key is known, the secret is wrong: it is an old one, which was replaced at 2025-01-06T06:00:30.000Z",
  );
  expect(meanwhile).toMatchObject([{ request_id: before.body["request_id"], charge: 95, result_code: 200 }]);
});

test("flaky-500s-that-recover: two answers of 500 for each number, and then it works", async () => {
  await using played = await playShipped("flaky-500s-that-recover");

  const told = [
    await sendAirtime(played),
    await sendMessage(played),
    await sendAirtime(played),
    await toAnother(played),
  ];
  await played.advance(10);

  expect(statusesOf(told)).toEqual([500, 500, 200, 500]);
  expect(told[2]?.headers.get("x-kredo-rule")).toMatch(
    /^not flaky-500s-that-recover\/.*: this is number 3 for the rule/,
  );
  expect(played.callbacks()).toMatchObject([{ request_id: told[2]?.body["request_id"], charge: 95, result_code: 200 }]);
  expect(walletOf(played)).toEqual({ available: 9_905, held: 0 });
});

test("flaky-500s-that-recover: after five minutes no number meets a 500 any more", async () => {
  await using played = await playShipped("flaky-500s-that-recover");

  const early = await sendAirtime(played);
  await played.advance(300);
  const late = [await sendAirtime(played), await toAnother(played)];

  expect(statusesOf([early, ...late])).toEqual([500, 200, 200]);
});

test("rate-limited: three requests in ten seconds, then 429 with Retry-After, and no limit after a minute", async () => {
  await using played = await playShipped("rate-limited");

  const burst = [
    await sendAirtime(played),
    await sendMessage(played),
    await askDetails(played),
    await sendAirtime(played),
  ];
  await played.advance(9.999);
  const early = await sendAirtime(played);
  await played.advance(0.001);
  const again = await sendAirtime(played);
  await played.advance(50);
  const free = await Promise.all(Array.from({ length: 10 }, () => askDetails(played)));

  expect(statusesOf([...burst, early, again])).toEqual([200, 200, 200, 429, 429, 200]);
  expect(burst[3]?.headers.get("retry-after")).toBe("10");
  expect(early.headers.get("retry-after")).toBe("1");
  expect(new Set(statusesOf(free))).toEqual(new Set([200]));
});

test("unregistered-sender-id: 422 for one that nobody knows, and a rejection where one carrier does not know it", async () => {
  await using played = await playShipped("unregistered-sender-id");

  const told = [
    await sendMessage(played, { sender_id: "20254" }),
    await sendMessage(played, { sender_id: "MFANO" }),
    await sendMessage(played, { sender_id: "MFANO", phone_number: AIRTEL }),
    await sendMessage(played, { sender_id: "SANDBOX", phone_number: AIRTEL }),
  ];
  await played.advance(10);

  expect(statusesOf(told)).toEqual([422, 200, 200, 200]);
  expect(told[0]?.body).toMatchObject({
    description: "Validation failed.",
    validation_errors: { sender_id: [expect.any(String)] },
  });
  expect(resultsOf(played)).toEqual([
    [told[1]?.body["request_id"], 200, "Message delivered."],
    [told[2]?.body["request_id"], 403, "Message rejected."],
    [told[3]?.body["request_id"], 200, "Message delivered."],
  ]);
});

test("sender-id-pending-approval: 422 until two days have passed, while the other one works", async () => {
  await using played = await playShipped("sender-id-pending-approval");
  const mfano = (): Promise<GatewayAnswer> => sendMessage(played, { sender_id: "MFANO" });

  const early = [await mfano(), await sendMessage(played)];
  await played.advance(2 * 86_400 - 1);
  const pending = await mfano();
  await played.advance(1);
  const approved = await mfano();
  await played.advance(10);

  expect(statusesOf([...early, pending, approved])).toEqual([422, 200, 422, 200]);
  expect(pending.body).toMatchObject({ validation_errors: { sender_id: [expect.any(String)] } });
  expect(resultsOf(played)).toEqual([
    [early[1]?.body["request_id"], 200, "Message delivered."],
    [approved.body["request_id"], 200, "Message delivered."],
  ]);
});

const AIRTEL = "254733000001";

function toAnother(played: PlayedScenario): Promise<GatewayAnswer> {
  return sendAirtime(played, { phone_number: "254712345679" });
}

function statusesOf(told: readonly GatewayAnswer[]): number[] {
  return told.map(({ status }) => status);
}

function resultsOf(played: PlayedScenario): unknown[] {
  return played.callbacks().map(({ request_id, result_code, result_desc }) => [request_id, result_code, result_desc]);
}
