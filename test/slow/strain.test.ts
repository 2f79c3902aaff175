import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { RawClient } from "../support/gateway/raw-client.ts";
import { DETAILS } from "../support/gateway/gateway-client.ts";
import { rawHead, rawPost } from "../support/gateway/raw-requests.ts";
import { startTestSandbox } from "../support/sandbox.ts";
import { buyAirtime } from "../support/gateway/world.ts";
import { type Receiver, receiveHttp } from "../support/gateway/http-receivers.ts";

const MANY = 10_000;

/** Callbacks that an account has under way at the same time, unless told. */
const CONCURRENCY = 64;

/** Answers of some 2 kB each: together far more than the kernel's buffers of a connection hold. */
const UNREAD = 20_000;
const QUERY = rawHead({ line: `GET ${DETAILS} HTTP/1.1` });

/** Requests that may wait on a connection, and those in what Node reads at once (64 kB) until it notices that the connection is closed. */
const MOST_BEGUN = 2_000 + 2 * Math.ceil(65_536 / QUERY.length);

test("10,000 callbacks due at once to a receiver that hangs take 64 connections, the gateway goes on, and each comes once", async () => {
  const receiver = await receiveHanging();
  await using sandbox = await startTestSandbox({
    clock: "real",
    latency_ms: 0,
    accounts: [{ balance: "9000000", callbacks: { airtime: receiver.url, timeout: "10m" } }],
  });
  await using client = await sandbox.connect();
  const { account } = sandbox;

  Array.from({ length: MANY }, (_, order) => buyAirtime(account, 10, phoneNumber(order)));
  await account.until(() => account.state.settlements === MANY, 50_000);
  await receiver.isFull;
  client.socket.write(rawPost());
  const { status } = await client.read();
  const hanging = receiver.connections.length;
  receiver.letGo();
  await account.drain(50_000);

  expect({ status, hanging }).toEqual({ status: 200, hanging: CONCURRENCY });
  expect(new Set(receiver.requests.map(({ body }) => body))).toHaveLength(MANY + 1);
  expect(receiver.requests).toHaveLength(MANY + 1);
  expect(receiver.connections.length).toBeLessThanOrEqual(2 * CONCURRENCY);
});

test("a client that asks and asks and never reads is disconnected, and others are answered", async () => {
  await using sandbox = await startTestSandbox({ accounts: [{ organization: { name: "x".repeat(2_000) } }] });
  await using deaf = await sandbox.connect();
  await using other = await sandbox.connect();
  const answers = answersTo(deaf);

  deaf.socket.write(QUERY.repeat(UNREAD));
  await ask(other, 100);

  expect(deaf.socket.destroyed).toBe(true);
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.length).toBeLessThanOrEqual(MOST_BEGUN);
});

/** Airtime for one that no other has. */
function phoneNumber(order: number): string {
  return `254712${String(order).padStart(6, "0")}`;
}

interface Hanging extends Receiver {
  /** Resolves when as many callbacks hang as may. */
  readonly isFull: Promise<void>;
  /** Answers all of them, and from now on every other at once. */
  letGo(): void;
}

async function receiveHanging(): Promise<Hanging> {
  const full = signal();
  const mayAnswer = signal();
  const receiver = await receiveHttp((_request, response) => {
    if (receiver.requests.length === CONCURRENCY) full.give();
    void mayAnswer.given.then(() => response.end("ok"));
  });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return { ...receiver, isFull: full.given, letGo: mayAnswer.give };
}

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = nothing;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

function nothing(): void {}

/** The server's own side of all answers to one client, from now on. */
function answersTo({ socket: { localPort } }: RawClient): ServerResponse[] {
  const answers: ServerResponse[] = [];
  const note = (exchange: unknown): void => {
    const response = responseOf(exchange);
    if (response !== undefined && response.req.socket.remotePort === localPort) answers.push(response);
  };
  subscribe(REQUEST_START, note);
  onTestFinished(() => void unsubscribe(REQUEST_START, note));
  return answers;
}

/** Where Node tells of each request that its server begins to answer (nodejs.org, diagnostics_channel). */
const REQUEST_START = "http.server.request.start";

function responseOf(exchange: unknown): ServerResponse | undefined {
  const isExchange = typeof exchange === "object" && exchange !== null && "response" in exchange;
  return isExchange && exchange.response instanceof ServerResponse ? exchange.response : undefined;
}

/** Asks so many times, one after the other. */
async function ask(client: RawClient, times: number): Promise<void> {
  for (let asked = 0; asked < times; asked += 1) {
    client.socket.write(QUERY);
    await client.read();
  }
}
