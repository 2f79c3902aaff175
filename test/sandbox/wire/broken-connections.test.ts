import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { exchangeBytes, turns } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { startSecureGateway } from "../../support/secure-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";

type Start = (
  ...options: Parameters<typeof startTestGateway>
) => Promise<TestGateway & { readonly open: () => Promise<Socket> }>;

const startPlain: Start = async (...options) => {
  const sandbox = await startTestGateway(...options);
  return { ...sandbox, open: async () => (await sandbox.connect()).socket };
};

const startSecure: Start = async (...options) => {
  const sandbox = await startSecureGateway(...options);
  return { ...sandbox, open: () => sandbox.handshake() };
};

describe.each([
  ["HTTP", startPlain],
  ["HTTPS", startSecure],
])("over %s", (_, start) => {
  test.each([
    ["before", 0],
    ["after", 9_500],
  ])("resets the TCP connection with RST %s acceptance", async (stage, held) => {
    await using sandbox = await start();
    await script(sandbox.account, rule(`then: { connection: reset_${stage}_accept }`));

    expect(await exchangeBytes(await sandbox.open(), rawPost())).toEqual({ bytes: "", ending: "ECONNRESET" });
    expect(sandbox.account.state.wallet.held).toBe(held);
    expect(sandbox.faults).toEqual([]);
  });

  test("closes without a byte", async () => {
    await using sandbox = await start();
    await script(sandbox.account, rule("then: { connection: empty_after_accept }"));

    expect(await exchangeBytes(await sandbox.open(), rawPost())).toEqual({ bytes: "", ending: "end" });
    expect(sandbox.account.state.wallet.held).toBe(9_500);
  });

  test("promises more than comes", async () => {
    await using sandbox = await start();
    await script(sandbox.account, rule("then: { connection: truncate_after_accept }"));

    const { bytes, ending } = await exchangeBytes(await sandbox.open(), rawPost());

    const [head = "", body = ""] = bytes.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(body.length);
    expect(body).toMatch(/^\{"status_code":200,/);
    expect(ending).toBe("end");
  });

  test("sends what is not HTTP", async () => {
    await using sandbox = await start();
    await script(sandbox.account, rule("then: { connection: garbage_after_accept }"));

    const { bytes } = await exchangeBytes(await sandbox.open(), rawPost());

    expect(bytes).toContain("neither HTTP");
    expect(bytes).not.toContain("HTTP/1.1");
  });

  test("drips no whole acknowledgment of what was not accepted", async () => {
    const wall = manualWallClock(0);
    await using sandbox = await start({}, { pause: pauseOn(wall) });
    await script(sandbox.account, rule("then: { connection: drip_before_accept }"));

    const { bytes } = await withTimePassing(exchangeBytes(await sandbox.open(), rawPost()), wall);

    expect(bytes.split("\r\n\r\n")[1]).toMatch(/^\{"status_code":200,.*[^}]$/);
  });

  test("a hanging connection does not keep the sandbox from stopping", async () => {
    const sandbox = await start();
    await script(sandbox.account, rule("then: { connection: hang_before_accept }"));
    const ended = exchangeBytes(await sandbox.open(), rawPost());
    await sandbox.account.until(() => sandbox.account.state.requests === 1, 5_000);

    await sandbox[Symbol.asyncDispose]();

    expect((await ended).bytes).toBe("");
  });
});

test("drips a whole acknowledgment, one byte each tenth of a second", async () => {
  const wall = manualWallClock(0);
  await using sandbox = await startTestGateway({}, { pause: pauseOn(wall) });
  await script(sandbox.account, rule("then: { connection: drip_after_accept }"));
  await using client = await sandbox.connect();

  await client.send(rawPost());
  await turns(20);
  wall.advance(100);
  await turns(20);

  const answer = await withTimePassing(client.read(), wall);

  expect(JSON.parse(answer.body)).toMatchObject({ status_code: 200 });
});

test("calls back while an acknowledgment hangs, which it does until the client gives up", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using sandbox = await startTestGateway({ clock: "real", latency_ms: 0 });
  const { account } = sandbox;
  setCallbacks(account, callbacksTo(receiver.url));
  await script(account, rule("then: { connection: hang_after_accept }"));
  await using client = await sandbox.connect();

  const bytes: unknown[] = [];
  client.socket.on("data", (chunk) => bytes.push(chunk));

  client.socket.write(rawPost());
  await account.until(() => account.state.transactions.size === 1, 5_000);
  const isDrained = await account.drain(5_000);

  const [requestId = ""] = account.state.transactions.keys();
  const clientWaits = account.clientWaits(requestId);
  expect({
    isDrained,
    callbacks: receiver.requests.length,
    bytes,
    isClosed: client.socket.closed,
    clientWaits,
  }).toEqual({
    isDrained: true,
    callbacks: 1,
    bytes: [],
    isClosed: false,
    clientWaits: true,
  });
  await client.reset();
  expect(await account.until(() => !account.clientWaits(requestId), 5_000)).toBe(true);
});

test("answers what was asked before on the same connection before it breaks it", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, rule("then: { connection: empty_after_accept }"));
  await using client = await sandbox.connect();

  client.socket.write(rawHead({ line: "GET /api/v2/account-details HTTP/1.1" }) + rawPost());

  const bytes = await client.readToEnd();
  expect(bytes.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1);
  expect(bytes).toContain("available_balance");
});

/** Lets time go on until an order has its answer. */
async function withTimePassing<T>(answer: Promise<T>, wall: { advance(by: number): void }): Promise<T> {
  const passing = new AbortController();
  const clock = passUntil(passing.signal, wall);
  const answered = await answer;
  passing.abort();
  await clock;
  return answered;
}

async function passUntil(over: AbortSignal, wall: { advance(by: number): void }): Promise<void> {
  while (!over.aborted) {
    wall.advance(100);
    await turns(1);
  }
}
