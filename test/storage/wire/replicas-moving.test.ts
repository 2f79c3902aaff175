import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { callbacksTo } from "../../support/gateway/world.ts";
import { expect, test } from "vitest";
import { rawChunks, rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { type SharedReplica, startSharedReplicas } from "../../support/replicas.ts";
import { basic } from "../../support/gateway/test-gateway.ts";

const KEYS = ["a", "b", "c", "d", "e", "f"];
const CONFIG = { accounts: KEYS.map((key) => ({ consumer_key: key, consumer_secret: "secret" })) };
/** A server says that it reads the body of such a request (RFC 9110 section 10.1.1). */
const CONTINUE = ["Expect: 100-continue"];

test.each([
  ["small", orderOf, 200],
  ["of 500,000 bytes", largeOrder(500_000), 422],
  ["too large", largeOrder(1_048_577), 413],
] as const)(
  "an order whose body is %s is answered once, though its account moves while the body arrives",
  async (_how, orderOf, status) => {
    await using group = await startSharedReplicas(2, CONFIG, { pause: async () => {} });
    const halves = group.replicas.flatMap((replica) => KEYS.map((key) => sendHalf(replica, orderOf(key))));
    const orders = await Promise.all(halves);

    const third = await group.add();
    const statuses = await Promise.all(orders.map((finish) => finish()));

    expect(statuses).toEqual(orders.map(() => status));
    expect(third.running.world.list()).toHaveLength(2);
    expect(requestsIn(group.replicas)).toEqual(KEYS.map((key) => ({ key, requests: 2 })));
    expect(group.faults()).toEqual([]);
  },
);

test("an account moves only after the acknowledgments for which clients wait, and its callbacks come after them", async () => {
  const wall = manualWallClock(0);
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using group = await startSharedReplicas(
    2,
    { ...CONFIG, clock: "real", latency_ms: 0 },
    { pause: pauseOn(wall) },
  );
  const accounts = group.replicas.flatMap(({ running }) => running.world.list());
  await Promise.all(accounts.map((account) => changeAcknowledgments(account, receiver.url, "{ ack: { delay: 10s } }")));
  const orders = await Promise.all(
    group.replicas.flatMap((replica) => KEYS.map((key) => sendHalf(replica, orderOf(key)))),
  );
  const statuses: number[] = [];
  const answered = Promise.all(orders.map(async (finish) => void statuses.push(await finish())));
  await Promise.all(accounts.map((account) => account.until(() => account.state.requests === 2, 60_000)));

  const third = await group.add();
  await group.pass(20_000);
  const early = { callbacks: receiver.requests.length, moved: third.running.world.list().length };
  await passUntil(
    () => statuses.length === orders.length,
    async () => wall.advance(10_000),
  );
  await passUntil(
    () => receiver.requests.length === orders.length,
    () => group.pass(1_000),
  );
  await passUntil(
    () => third.running.world.list().length === 2,
    () => group.pass(1_000),
  );
  await answered;

  expect(early).toEqual({ callbacks: 0, moved: 0 });
  expect(statuses).toEqual(orders.map(() => 200));
  expect(group.faults()).toEqual([]);
});

test.each([
  ["delays", "{ ack: { delay: 1h } }"],
  ["drips", "{ connection: drip_after_accept }"],
])(
  "an acknowledgment that a scenario %s leaves at once, from whichever replica, when its owner stops",
  async (_how, then) => {
    await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
    const pause = pauseOn(manualWallClock(0));
    await using group = await startSharedReplicas(2, { ...CONFIG, clock: "real", latency_ms: 0 }, { pause });
    const { first, second, replicas } = group;
    const accounts = first.running.world.list();
    await Promise.all(accounts.map((account) => changeAcknowledgments(account, receiver.url, then)));
    const orders = await Promise.all(
      replicas.flatMap((replica) => accounts.map(({ consumerKey: key }) => sendHalf(replica, orderOf(key)))),
    );
    const answered = Promise.all(orders.map((finish) => finish()));
    await Promise.all(accounts.map((account) => account.until(() => account.state.requests === 2, 60_000)));

    await first.running.leave();
    const statuses = await answered;
    await passUntil(
      () => receiver.requests.length === orders.length,
      () => group.pass(1_000),
    );

    expect(statuses).toEqual(orders.map(() => 200));
    expect(second.running.world.list()).toHaveLength(6);
    expect(group.faults()).toEqual([]);
  },
);

async function changeAcknowledgments(account: RunningAccount, url: string, then: string): Promise<void> {
  setCallbacks(account, callbacksTo(url));
  await script(account, rule(`then: ${then}`));
}

/** Lets time pass until something has happened. */
async function passUntil(hasHappened: () => boolean, pass: () => Promise<void>): Promise<void> {
  while (!hasHappened()) {
    await pass();
    await turns(1);
  }
}

function orderOf(key: string): Buffer {
  return Buffer.from(rawPost({ authorization: basic(key, "secret"), headers: CONTINUE }));
}

/** An order with blanks, in one chunk. */
function largeOrder(length: number): (key: string) => Buffer {
  return (key) => {
    const headers = [...CONTINUE, "Content-Type: application/json", "Transfer-Encoding: chunked"];
    const head = rawHead({ authorization: basic(key, "secret"), headers });
    return Buffer.concat([Buffer.from(head), rawChunks(Buffer.from(`{${" ".repeat(length - 2)}}`))]);
  };
}

/**
 * Sends all but the last 20 bytes of a request, and waits until the replica reads its body. Resolves to how to send the rest, which resolves
 * to the status of the answer.
 */
async function sendHalf(replica: SharedReplica, request: Buffer): Promise<() => Promise<number>> {
  const client = await replica.connect();
  client.socket.write(request.subarray(0, -20));
  await client.read();
  return async () => {
    await using open = client;
    await open.send(request.subarray(-20));
    return (await open.read()).status;
  };
}

function requestsIn(replicas: readonly SharedReplica[]): { key: string; requests: number }[] {
  return replicas
    .flatMap(({ running }) => running.world.list())
    .map(({ consumerKey: key, state: { requests } }) => ({ key, requests }))
    .sort((one, other) => one.key.localeCompare(other.key));
}
