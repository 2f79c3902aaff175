import { expect, test } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import type { exchangeShape } from "../../../src/control/exchanges.ts";
import type * as z from "zod";
import { turns } from "../../support/gateway/raw-client.ts";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { startTestSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { WALL_START } from "../../support/gateway/world.ts";

const ODD_BODY = '{ "amount":"100",\n "phone_number":"254712345678" }';

test("a request and its answer are read back as they were on the wire, the secret masked", async () => {
  await using sandbox = await startTestSandbox();
  await using client = await sandbox.connect();
  await client.send(rawPost({ headers: ["x-Trace: a", "X-TRACE: b"], body: ODD_BODY }));
  const { body } = await client.read();

  const exchange = await ended(sandbox);

  expect(exchange.request).toEqual({
    method: "POST",
    target: "/api/v2/airtime",
    http_version: "1.1",
    headers: [
      ["Host", "gateway.test"],
      ["Authorization", "Basic sandbox-key:••••••"],
      ["Content-Type", "application/json"],
      ["Content-Length", String(ODD_BODY.length)],
      ["x-Trace", "a"],
      ["X-TRACE", "b"],
    ],
    body: { text: ODD_BODY, bytes: ODD_BODY.length },
  });
  expect(exchange.response).toMatchObject({ status: 200, body: { text: body, bytes: body.length } });
  expect(exchange.response.head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-length: \d+/i);
  expect(exchange.ended).toMatchObject({ how: "answered" });
});

test("an exchange has not ended while its client waits; afterwards it says how long that took", async () => {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await startTestSandbox({}, { wall, pause: pauseOn(wall) });
  await script(sandbox.account, rule("then: { ack: { delay: 10s } }"));
  await using client = await sandbox.connect();
  await client.send(rawPost());
  await sandbox.account.until(() => sandbox.account.journal.index.requests.length > 0, 60_000);

  const waiting = await read(sandbox);
  wall.advance(10_000);
  await client.read();

  expect(waiting.ended).toBeNull();
  expect((await ended(sandbox)).ended).toMatchObject({ how: "answered", millis: 10_000 });
});

test("an answer that a scenario lost is broken, with what it would have been", async () => {
  await using sandbox = await startTestSandbox();
  await script(sandbox.account, rule("then: { connection: reset_after_accept }"));
  await using client = await sandbox.connect();
  await client.send(rawPost());
  await client.readToEnd();

  const exchange = await ended(sandbox);

  expect(exchange.ended).toMatchObject({ how: "broken" });
  expect(exchange.response.body.text).toContain(exchange.request_id);
});

test("a refused request shows its consumer key, the bytes that are no text, and no value of its query", async () => {
  await using sandbox = await startTestSandbox();
  const request = new Request("http://gateway.test/api/v2/airtime?consumer_secret=geheim", {
    method: "POST",
    headers: { authorization: basic("sandbox-key", "geheim"), "content-type": "application/json" },
    body: Uint8Array.of(0xff, 0x00),
  });
  await sandbox.running.fetch(request);
  const [row] = sandbox.running.world.get("default").journal.index.requests;

  const answer = await exchangeOf(sandbox, row?.requestId);
  const text = await answer.text();

  expect(text).not.toContain("geheim");
  expect(text).toContain("Basic sandbox-key:••••••");
  expect(JSON.parse(text).request.body).toMatchObject({ base64: "/wA=", bytes: 2 });
});

test("the oldest exchanges are evicted beyond a thousand, and reported as evicted", async () => {
  await using sandbox = await startTestSandbox({ accounts: [{ balance: "1000000" }] });
  await Promise.all(Array.from({ length: 1_001 }, () => sandbox.running.fetch(details())));
  const { requests } = sandbox.account.journal.index;

  const [first, second] = await Promise.all([
    exchangeOf(sandbox, requests[0]?.requestId),
    exchangeOf(sandbox, requests[1]?.requestId),
  ]);

  expect({ first: first.status, second: second.status }).toEqual({ first: 404, second: 200 });
  expect(await first.json()).toMatchObject({ repair: expect.stringContaining("the last 1,000 are") });
});

test("after a reset, an exchange of the run before is not shown, although the seed gives its id again", async () => {
  await using sandbox = await startTestSandbox();
  await sandbox.running.fetch(details());
  const [before] = sandbox.account.journal.index.requests;
  sandbox.account.reset();

  const forgotten = await exchangeOf(sandbox, before?.requestId);
  await sandbox.running.fetch(details());
  const [after] = sandbox.account.journal.index.requests;
  const found = await exchangeOf(sandbox, after?.requestId);

  expect(after?.requestId).toBe(before?.requestId);
  expect({ forgotten: forgotten.status, found: found.status }).toEqual({ forgotten: 404, found: 200 });
});

type ExchangeJson = z.output<typeof exchangeShape>;

function details(): Request {
  return new Request("http://gateway.test/api/v2/account-details", {
    headers: { authorization: basic("sandbox-key", "sandbox-secret") },
  });
}

function exchangeOf({ running }: TestSandbox, requestId = ""): Promise<Response> {
  return running.fetch(new Request(`http://localhost/__admin/accounts/default/requests/${requestId}/exchange`));
}

/** The exchange of the latest request. */
async function read(sandbox: TestSandbox): Promise<ExchangeJson> {
  const answer = await exchangeOf(sandbox, sandbox.account.journal.index.requests.at(-1)?.requestId);
  return JSON.parse(await answer.text());
}

/** The same once it has ended: Node tells so a few turns of the event loop after the client has read its answer. */
async function ended(sandbox: TestSandbox): Promise<ExchangeJson> {
  const exchange = await read(sandbox);
  if (exchange.ended !== null) return exchange;
  await turns(1);
  return ended(sandbox);
}
