import { expect, test } from "vitest";
import { readOrderTruth } from "../../../src/verdict/orders/order-truth.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, callbacksTo, refuseRequest, type TestWorld, testWorld } from "../../support/gateway/world.ts";

const NUMBER = "254712345678";
const RECEIVED = { account: { callbacks: callbacksTo("http://receiver.test/hook") } };

/** What happened to an order whose carrier has answered. */
async function truthOf({ account }: TestWorld) {
  await account.advance({ by: 60_000 }, 1_000);
  return readOrderTruth(account.read().events, NUMBER);
}

test("an application with an acknowledgment and an intact callback was told", async () => {
  const world = testWorld(RECEIVED);
  buyAirtime(world.account, 10);

  expect(await truthOf(world)).toMatchObject({ accepted: 1, delivered: 1, isTold: true, neverSettles: false });
});

test("an application whose client left before the acknowledgment was not told", async () => {
  const world = testWorld(RECEIVED);
  const { requestId } = buyAirtime(world.account, 10);
  world.account.run((_state, at) => ({
    events: [{ kind: "client-left", at, requestId, waited: 5 }],
    answer: undefined,
  }));

  expect(await truthOf(world)).toMatchObject({ accepted: 1, delivered: 1, isTold: false });
});

test("the acknowledgment of one order tells nothing of the next", async () => {
  const world = testWorld(RECEIVED);
  const { requestId } = buyAirtime(world.account, 10);
  world.account.run((_state, at) => ({
    events: [{ kind: "client-left", at, requestId, waited: 5 }],
    answer: undefined,
  }));
  buyAirtime(world.account, 10, "254722345678");

  expect(await truthOf(world)).toMatchObject({ accepted: 1, isTold: false });
});

test.each([
  ["a callback that never comes", "callback: { drop: true }", { delivered: 1, isTold: false }],
  ["callbacks that contradict each other", "callback: { times: 2, contradict: true }", { isTold: false }],
  ["malformed callbacks", "callback: { malformed: true }", { isTold: false }],
  ["a wrong content type", "callback: { wrong_content_type: true }", { isTold: true }],
  ["a lost acknowledgment", "connection: reset_after_accept", { delivered: 1, isTold: false }],
  ["a dripped acknowledgment", "connection: drip_after_accept", { isTold: true }],
  ["another acknowledgment", 'ack: { body: "{}" }', { isTold: false }],
  ["an acknowledgment as a redirect", "ack: { status: 307 }", { isTold: false }],
  ["no result", "result: { stuck: true }", { delivered: 0, neverSettles: true, isTold: false }],
  ["a failure", "result: { outcome: failed }", { delivered: 0, neverSettles: false, isTold: true }],
])("an application was told as much as %s tells", async (_what, effect, truth) => {
  const world = testWorld(RECEIVED);
  await script(world.account, rule(`then: { ${effect} }`));
  buyAirtime(world.account, 10);

  expect(await truthOf(world)).toMatchObject(truth);
});

test("requests of other numbers are none of its requests", async () => {
  const world = testWorld(RECEIVED);
  buyAirtime(world.account, 10, "254722345678");
  refuseRequest(world.account, 401);

  expect(await truthOf(world)).toMatchObject({
    requests: [],
    accepted: 0,
    delivered: 0,
    isTold: false,
    callbacks: [],
  });
});
