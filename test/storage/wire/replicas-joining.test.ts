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
