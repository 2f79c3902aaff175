import { expect, test } from "vitest";
import type { Accepted } from "../../../src/gateway/account/events.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { endScenarios } from "../../../src/gateway/engine/commands.ts";
import { rule, script, scriptedWorld, stateOf } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, type TestWorldOptions } from "../../support/gateway/world.ts";

const early = (options?: TestWorldOptions) => scriptedWorld(rule("then: { callback: { before_ack: true } }"), options);
const never = () => new Promise<never>(() => {});

test("an acknowledgment that waits for its callback goes out as soon as the receiver has answered", async () => {
  const { account, sent } = await early();
  const accepted = buyAirtime(account, 10);
  const { requestId } = accepted;

  const waited = waitForCallback(account, accepted);
  await allReady();

  expect(waited).toEqual(["over"]);
  expect({ sent: sent.length, isWaiting: account.clientWaits(requestId) }).toEqual({ sent: 1, isWaiting: false });
});

test("an acknowledgment waits no longer than 3 s for the receiver", async () => {
  const { account, wall } = await early({ answer: never });
  const accepted = buyAirtime(account, 10);
  const { requestId } = accepted;

  const waited = waitForCallback(account, accepted);
  wall.advance(2_999);
  await allReady();
  const before = { over: waited.length, isWaiting: account.clientWaits(requestId) };
  wall.advance(1);
  await allReady();

  expect(before).toEqual({ over: 0, isWaiting: true });
  expect(waited).toEqual(["over"]);
});

test("an acknowledgment waits no longer once a reset has forgotten its order", async () => {
  const { account } = await early({ answer: never });
  const accepted = buyAirtime(account, 10);
  const { requestId } = accepted;
  const waited = waitForCallback(account, accepted);
  await allReady();

  account.reset();
  await allReady();

  expect(waited).toEqual(["over"]);
  expect({ state: stateOf(account, requestId), isWaiting: account.clientWaits(requestId) }).toEqual({
    state: undefined,
    isWaiting: false,
  });
});

test("while the carrier is down, the acknowledgment does not wait, and the callback comes after it with the carrier", async () => {
  const { account, sent } = await early();
  await script(account, "timeline: [{ at: 0s, do: { carrier: { safaricom: down } } }]", "outage");
  const { requestId, plan } = buyAirtime(account, 10);

  await account.advance({ by: 60_000 }, 0);
  const during = { state: stateOf(account, requestId), sent: sent.length };
  endScenarios(account, "outage");
  await account.advance({ by: 0 }, 1_000);

  expect(plan.callback?.before_ack).toBe(false);
  expect({ during, state: stateOf(account, requestId), sent: sent.length }).toEqual({
    during: { state: "queued", sent: 0 },
    state: "succeeded",
    sent: 1,
  });
});

test("an acknowledgment neither settles nor waits for the order of a later run that has its id", async () => {
  const { account, sent } = await early({ answer: never });
  const before = buyAirtime(account, 10);
  account.reset();
  const after = buyAirtime(account, 10);

  const waited = waitForCallback(account, before);
  await allReady();

  expect(after.requestId).toBe(before.requestId);
  expect({ waited, sent, state: stateOf(account, after.requestId) }).toEqual({
    waited: ["over"],
    sent: [],
    state: "queued",
  });
});

test("an acknowledgment that waits for its callback does not go on to wait for that of a later run with its id", async () => {
  const { account } = await early({ answer: never });
  const waited = waitForCallback(account, buyAirtime(account, 10));
  await allReady();

  account.reset();
  waitForCallback(account, buyAirtime(account, 10));
  await allReady();

  expect(waited).toEqual(["over"]);
});

/** Lists "over" once the acknowledgment may go out. */
function waitForCallback(account: RunningAccount, accepted: Accepted): string[] {
  const waited: string[] = [];
  void account.deliverBeforeAck(accepted).then(() => waited.push("over"));
  return waited;
}
