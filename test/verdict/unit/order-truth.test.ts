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

test("an application with an acknowledgment and an intact callback could know", async () => {
  const world = testWorld(RECEIVED);
  buyAirtime(world.account, 10);

  expect(await truthOf(world)).toMatchObject({ accepted: 1, delivered: 1, couldKnow: true, neverSettles: false });
});

test("an application whose client left before the acknowledgment could not know", async () => {
  const world = testWorld(RECEIVED);
  const { requestId } = buyAirtime(world.account, 10);
  world.account.run((_state, at) => ({
    events: [{ kind: "client-left", at, requestId, waited: 5 }],
    answer: undefined,
  }));

  expect(await truthOf(world)).toMatchObject({ accepted: 1, delivered: 1, couldKnow: false });
});

test("the acknowledgment of one order tells nothing of the next", async () => {
  const world = testWorld(RECEIVED);
  const { requestId } = buyAirtime(world.account, 10);
  world.account.run((_state, at) => ({
    events: [{ kind: "client-left", at, requestId, waited: 5 }],
    answer: undefined,
  }));
  buyAirtime(world.account, 10, "254722345678");

  expect(await truthOf(world)).toMatchObject({ accepted: 1, couldKnow: false });
});

test.each([
  ["a callback that never comes", "callback: { drop: true }", { delivered: 1, couldKnow: false }],
  ["callbacks that contradict each other", "callback: { times: 2, contradict: true }", { couldKnow: false }],
  ["malformed callbacks", "callback: { malformed: true }", { couldKnow: false }],
  ["a wrong content type", "callback: { wrong_content_type: true }", { couldKnow: true }],
  ["a lost acknowledgment", "connection: reset_after_accept", { delivered: 1, couldKnow: false }],
  ["a dripped acknowledgment", "connection: drip_after_accept", { couldKnow: true }],
  ["another acknowledgment", 'ack: { body: "{}" }', { couldKnow: false }],
  ["an acknowledgment as a redirect", "ack: { status: 307 }", { couldKnow: false }],
  ["no result", "result: { stuck: true }", { delivered: 0, neverSettles: true, couldKnow: false }],
  ["a failure", "result: { outcome: failed }", { delivered: 0, neverSettles: false, couldKnow: true }],
])("an application could know as much as %s tells", async (_what, effect, truth) => {
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
    couldKnow: false,
    callbacks: [],
  });
});
