import { expect, test } from "vitest";
import { AIRTIME } from "../../support/gateway/gateway-client.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";

/** Requests in every journal. */
function requestsIn({ running, account }: TestGateway): number {
  return account.state.requests + running.world.sandbox.state.requests;
}

const HALF = [
  rawHead({ headers: ["Content-Type: application/json", "Content-Length: 60"] }),
  '{"phone_number":',
] as const;
const HALF_CHUNKED = [
  rawHead({ headers: ["Content-Type: application/json", "Transfer-Encoding: chunked"] }),
  "40\r\n{",
] as const;

test.each([
  ["resets the connection in the middle of the body", HALF],
  ["resets the connection in the middle of a chunk", HALF_CHUNKED],
  ["resets the connection in front of the body", HALF.slice(0, 1)],
  ["resets the connection in the middle of the headers", [HALF[0].slice(0, 40)]],
])("a client that %s leaves no journal entry and no fault", async (_when, packets) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(...packets);
  await client.reset();
  await turns(5);

  expect(requestsIn(sandbox)).toBe(0);
  expect(sandbox.faults).toEqual([]);
});

test.each([
  ["the middle of the body", HALF],
  ["the middle of a chunk", HALF_CHUNKED],
  ["the middle of the headers", [HALF[0].slice(0, 40)]],
])("tells a client that ends in %s that its request is malformed, and writes nothing down", async (_where, packets) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(...packets);
  client.socket.end();
  const answer = await client.readToEnd();

  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(requestsIn(sandbox)).toBe(0);
  expect(sandbox.faults).toEqual([]);
});

test.each([
  [
    "in the middle of an oversized body",
    [rawHead({ headers: ["Content-Type: application/json", "Content-Length: 2000000"] }), "x".repeat(1_200_000)],
  ],
  [
    "in the middle of an oversized chunk",
    [
      rawHead({ headers: ["Content-Type: application/json", "Transfer-Encoding: chunked"] }),
      `1e8480\r\n${"x".repeat(1_200_000)}`,
    ],
  ],
])("survives a client that leaves %s", async (_when, packets) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await using next = await sandbox.connect();

  await client.send(...packets);
  await client.reset();
  await next.send(rawPost());

  expect(await next.read()).toMatchObject({ status: 200 });
  expect(sandbox.faults).toEqual([]);
});

test.each([
  ["an expectation that it does not know", { headers: ["Expect: 200-ok"] }, 417],
  ["headers of 20 KB", { headers: [`X-Long: ${"x".repeat(20_000)}`] }, 431],
  ["a target with a user", { line: "POST http://user:secret@localhost/api/v2/airtime HTTP/1.1" }, 400],
])("answers %s with HTTP 200 under http_status always_200", async (_what, request, code) => {
  await using sandbox = await startTestGateway({ http_status: "always_200" });
  await using client = await sandbox.connect();

  await client.send(rawPost(request));
  const answer = await client.readToEnd();

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain(`"status_code":${code}`);
});

test("refuses with request_id null what it cannot read, too, if refusals have none", async () => {
  await using sandbox = await startTestGateway({ profile: "observed" });
  await using client = await sandbox.connect();

  await client.send(rawPost({ headers: ["Expect: 200-ok"] }));
  const { body } = await client.read();

  expect(JSON.parse(body)).toEqual({ status_code: 417, description: "Expectation Failed.", request_id: null });
});

test("answers the requests before the garbage first", async () => {
  await using sandbox = await startTestGateway({ auto_accounts: ["test-*"] });
  await using client = await sandbox.connect();

  await client.send(
    `${rawPost({ authorization: `Basic ${Buffer.from("test-a:x").toString("base64")}` })}garbage\r\n\r\n`,
  );
  const answers = (await client.readToEnd()).match(/HTTP\/1\.1 \d+/g);

  expect(answers).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
});

test("reads headers that arrive slowly", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await using other = await sandbox.connect();
  const bytes = rawPost();

  await client.send(bytes.slice(0, 30));
  await other.send(rawPost());
  const meanwhile = await other.read();
  await client.send(bytes.slice(30, 90), bytes.slice(90));

  expect(meanwhile.status).toBe(200);
  expect(await client.read()).toMatchObject({ status: 200 });
});

test("answers a client that closes its side for writing", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  client.socket.end(rawPost({ line: `POST ${AIRTIME} HTTP/1.1` }));
  const answer = await client.readToEnd();

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
