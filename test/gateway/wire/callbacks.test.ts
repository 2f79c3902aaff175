import { expect, test } from "vitest";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { DETAILS } from "../../support/gateway/gateway-client.ts";
import { type RawAnswer, type RawClient, turns } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";
import { receiveHttp, type Receiver } from "../../support/gateway/http-receivers.ts";

/** So many answers of that length are more than the kernel's buffers of a connection hold. */
const UNREAD = 20;
const LONG = 1_000_000;

const OTHER = JSON.stringify({ phone_number: "254712345679", amount: "100" });

/** A receiver that acknowledges, and a sandbox on a real clock whose carriers answer at once and that calls it back. */
async function openBoth(): Promise<{ receiver: Receiver; sandbox: TestGateway } & AsyncDisposable> {
  const receiver = await receiveHttp((_request, response) => void response.end("ok"));
  const sandbox = await startTestGateway({
    clock: "real",
    latency_ms: 0,
    accounts: [{ balance: "1000000", callbacks: { airtime: receiver.url }, organization: { name: "x".repeat(LONG) } }],
  });
  return {
    receiver,
    sandbox,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** The request ids of the callbacks that came, in their order. */
function calledBack({ requests }: Receiver): string[] {
  return requests.map(({ body }) => String(JSON.parse(body).request_id));
}

/** Sends one request after the other; of each: its id, and whether its callback had come when its answer was read. */
async function sendEach(
  client: RawClient,
  receiver: Receiver,
  bytes: readonly string[],
): Promise<{ id: string; wasEarly: boolean }[]> {
  const read: { id: string; wasEarly: boolean }[] = [];
  for (const request of bytes) {
    client.socket.write(request);
    const { body } = await client.read();
    const id = String(JSON.parse(body).request_id);
    read.push({ id, wasEarly: calledBack(receiver).includes(id) });
  }
  return read;
}

async function readEach(client: RawClient, count: number): Promise<RawAnswer[]> {
  const read: RawAnswer[] = [];
  while (read.length < count) read.push(await client.read());
  return read;
}

function settledIn({ state }: RunningAccount): number {
  return [...state.transactions.values()].filter(({ progress }) => progress.state === "succeeded").length;
}

test("calls back each of 200 requests once, after its client has read the answer", async () => {
  await using both = await openBoth();
  await using client = await both.sandbox.connect();

  const read = await sendEach(
    client,
    both.receiver,
    Array.from({ length: 200 }, () => rawPost()),
  );
  await both.sandbox.account.drain(5_000);

  expect(read.filter(({ wasEarly }) => wasEarly)).toEqual([]);
  expect(calledBack(both.receiver).sort()).toEqual(read.map(({ id }) => id).sort());
});

test("calls back each of 200 pipelined requests once, after its answer has gone", async () => {
  await using both = await openBoth();
  await using client = await both.sandbox.connect();

  client.socket.write(rawPost().repeat(200));
  const read = await sendEach(
    client,
    both.receiver,
    Array.from({ length: 200 }, () => ""),
  );
  await both.sandbox.account.drain(5_000);

  expect(read.filter(({ wasEarly }) => wasEarly)).toEqual([]);
  expect(calledBack(both.receiver).sort()).toEqual(read.map(({ id }) => id).sort());
});

test("calls back for a client that never reads its answer", async () => {
  await using both = await openBoth();
  await using client = await both.sandbox.connect();

  await client.send(rawPost());
  const isDrained = await both.sandbox.account.drain(5_000);

  expect(isDrained).toBe(true);
  expect(calledBack(both.receiver)).toEqual([...both.sandbox.account.state.transactions.keys()]);
});

test("calls back for a client that resets the connection once its request is taken", async () => {
  await using both = await openBoth();
  await using client = await both.sandbox.connect();
  const { account } = both.sandbox;

  client.socket.write(rawPost());
  await account.until(() => account.state.transactions.size === 1, 5_000);
  await client.reset();
  const isDrained = await account.drain(5_000);

  expect(isDrained).toBe(true);
  expect(calledBack(both.receiver)).toEqual([...account.state.transactions.keys()]);
});

test("keeps a callback back until its answer has left for a client that reads late", async () => {
  await using both = await openBoth();
  await using first = await both.sandbox.connect();
  await using client = await both.sandbox.connect();
  const { account } = both.sandbox;
  await sendEach(first, both.receiver, [rawPost()]);
  await account.drain(5_000);

  client.socket.write(rawHead({ line: `GET ${DETAILS} HTTP/1.1` }).repeat(UNREAD) + rawPost({ body: OTHER }));
  await account.until(() => settledIn(account) === 2, 5_000);
  await turns(200);
  const before = calledBack(both.receiver);
  const answers = await readEach(client, UNREAD + 1);
  await account.drain(5_000);

  expect(before).toHaveLength(1);
  expect(calledBack(both.receiver).slice(1)).toEqual([JSON.parse(answers.at(-1)?.body ?? "").request_id]);
});
