import { expect, test } from "vitest";
import { sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { playShipped, walletOf } from "../../support/gateway/shipped.ts";

test("callback-never: accepted, charged and never called back, and the account says why", async () => {
  await using played = await playShipped("callback-never");

  const acks = [await sendAirtime(played), await sendMessage(played)];
  await played.advance(86_400);

  const [transaction] = played.account.state.transactions.values();
  expect(acks.map(({ status }) => status)).toEqual([200, 200]);
  expect(walletOf(played)).toEqual({ available: 9_904.2, held: 0 });
  expect(played.receiver.requests).toEqual([]);
  expect(transaction?.progress).toMatchObject({
    settled: { callback: { none: 'the rule "the callback never comes" of the scenario callback-never drops it' } },
  });
});

test("callback-before-ack: the receiver is first, with the request_id that the client gets to know afterwards", async () => {
  const order: string[] = [];
  await using played = await playShipped("callback-before-ack", {
    answer: (_request, response) => {
      order.push("callback");
      response.end("ok");
    },
  });

  const { status, body } = await sendAirtime(played);
  order.push("acknowledgment");
  await played.advance(60);

  expect({ status, order }).toEqual({ status: 200, order: ["callback", "acknowledgment"] });
  expect(played.callbacks()).toMatchObject([
    { request_id: body["request_id"], charge: 95, account_balance: 9_905, result_code: 200 },
  ]);
});

test("duplicate-callbacks: three times the same bytes, two seconds apart, charged once", async () => {
  await using played = await playShipped("duplicate-callbacks");

  const { body } = await sendAirtime(played);
  const fired = await played.advance(60);

  expect(played.callbacks()).toMatchObject(
    Array.from({ length: 3 }, () => ({ request_id: body["request_id"], charge: 95 })),
  );
  expect(new Set(played.receiver.requests.map((callback) => callback.body)).size).toBe(1);
  expect(gapsOf(fired)).toEqual([2_000, 2_000]);
  expect(walletOf(played)).toEqual({ available: 9_905, held: 0 });
});

test("contradicting-callbacks: the second says the opposite half a minute later, and the wallet stays as it is", async () => {
  await using played = await playShipped("contradicting-callbacks");

  const { body } = await sendMessage(played);
  const fired = await played.advance(60);

  const same = { request_id: body["request_id"], charge: 0.8, account_balance: 9_999.2 };
  expect(played.callbacks()).toEqual([
    { ...same, result_code: 200, result_desc: "Message delivered." },
    { ...same, result_code: 500, result_desc: "Message failed." },
  ]);
  expect(gapsOf(fired)).toEqual([30_000]);
  expect(fired.map(({ scripted }) => scripted)).toEqual([{}, { contradict: true }]);
  expect(walletOf(played)).toEqual({ available: 9_999.2, held: 0 });
});

test("reversed-after-success: the second callback says failed half a minute later, and the wallet has the charge back", async () => {
  await using played = await playShipped("reversed-after-success");

  const { body } = await sendMessage(played);
  const first = await played.advance(20);
  const before = walletOf(played);
  const second = await played.advance(40);

  const same = { request_id: body["request_id"] };
  expect(played.callbacks()).toEqual([
    { ...same, charge: 0.8, account_balance: 9_999.2, result_code: 200, result_desc: "Message delivered." },
    { ...same, charge: 0, account_balance: 10_000, result_code: 500, result_desc: "Message failed." },
  ]);
  expect(gapsOf([...first, ...second])).toEqual([30_000]);
  expect({ before, wallet: walletOf(played) }).toEqual({
    before: { available: 9_999.2, held: 0 },
    wallet: { available: 10_000, held: 0 },
  });
});

test("callbacks-out-of-order: every second one comes after the one behind it, with an older balance", async () => {
  await using played = await playShipped("callbacks-out-of-order");

  const acks = [await sendAirtime(played)];
  await played.advance(1);
  acks.push(await sendAirtime(played));
  await played.advance(1);
  acks.push(await sendAirtime(played));
  await played.advance(1);

  const [first, second, third] = acks.map(({ body }) => body["request_id"]);
  expect(played.callbacks().map(({ request_id, account_balance }) => [request_id, account_balance])).toEqual([
    [first, 9_905],
    [third, 9_715],
    [second, 9_810],
  ]);
});

test("callbacks-out-of-order: one that no other follows comes after five seconds", async () => {
  await using played = await playShipped("callbacks-out-of-order");

  await sendAirtime(played);
  await played.advance(1);
  await sendAirtime(played);
  await played.advance(5.999);
  const early = played.receiver.requests.length;
  await played.advance(0.001);

  expect({ early, requests: played.receiver.requests.length }).toEqual({ early: 1, requests: 2 });
});

test("callbacks-out-of-order: one that was ahead anyway at the same moment has not been let pass", async () => {
  await using played = await playShipped("callbacks-out-of-order");

  await Promise.all([sendAirtime(played), sendAirtime(played)]);
  const fired = await played.advance(60);

  expect(gapsOf(fired)).toEqual([5_000]);
});

test("callback-late-by-an-hour: charged in time, called back an hour later with the balance of then", async () => {
  await using played = await playShipped("callback-late-by-an-hour");

  const { body } = await sendAirtime(played);
  await played.advance(3_600);
  const inTime = walletOf(played);
  await sendMessage(played);
  const early = played.callbacks();
  await played.advance(1);

  expect(inTime).toEqual({ available: 9_905, held: 0 });
  expect(early).toEqual([]);
  expect(played.callbacks()).toMatchObject([
    { request_id: body["request_id"], charge: 95, account_balance: 9_905, result_code: 200 },
  ]);
});

test("malformed-callback: every second top-up's callback is half a body, and all are charged", async () => {
  await using played = await playShipped("malformed-callback");

  await Promise.all([sendAirtime(played), sendAirtime(played)]);
  await played.advance(10);

  const [whole, half] = played.receiver.requests.map(({ body }) => body);
  expect(JSON.parse(whole ?? "")).toMatchObject({ charge: 95, result_code: 200 });
  expect(half).toMatch(/^\{"request_id":"[0-9a-f-]{36}"/);
  expect(() => JSON.parse(half ?? "")).toThrow(SyntaxError);
  expect(walletOf(played)).toEqual({ available: 9_810, held: 0 });
});

test("malformed-callback: every second delivery report calls itself something else than JSON", async () => {
  await using played = await playShipped("malformed-callback");

  await Promise.all([sendMessage(played), sendMessage(played)]);
  const fired = await played.advance(10);

  expect(fired.map(({ headers }) => headers["content-type"])).toEqual(["application/json", "text/plain"]);
  expect(played.callbacks()).toMatchObject([{ result_code: 200 }, { result_code: 200 }]);
});

test("unknown-request-id: every second callback names a request that nobody made", async () => {
  await using played = await playShipped("unknown-request-id");

  const acks = await Promise.all([sendAirtime(played), sendAirtime(played), sendAirtime(played)]);
  await played.advance(10);

  const given = acks.map(({ body }) => body["request_id"]);
  const named = played.callbacks().map(({ request_id }) => request_id);
  expect([named[0], named[2]]).toEqual([given[0], given[2]]);
  expect(given).not.toContain(named[1]);
  expect(walletOf(played)).toEqual({ available: 9_715, held: 0 });
});

function gapsOf(fired: readonly { readonly at: number }[]): number[] {
  return fired.slice(1).map(({ at }, index) => at - (fired[index]?.at ?? 0));
}
