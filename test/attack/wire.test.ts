import fc from "fast-check";
import { expect, test } from "vitest";
import { type RawClient, turns } from "../support/gateway/raw-client.ts";
import { rawPost } from "../support/gateway/raw-requests.ts";
import { startTestSandbox, type TestSandbox } from "../support/sandbox.ts";
import { SEED } from "./seed.ts";

const PIECES = [
  "\0",
  "\r",
  "\n",
  "\r\n\r\n",
  ":",
  " ",
  "Transfer-Encoding: chunked\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Host: evil.example\r\n",
  "Expect: 100-continue\r\n",
  "Upgrade: h2c\r\nConnection: Upgrade\r\n",
  "Host: 999.1.1.1\r\n",
  "../../",
  "%00",
  "\u202e",
  "ffffffffffffffff\r\n",
  "HTTP/9.9",
  "[".repeat(500),
  '{"__proto__":{"amount":1},"constructor":1}',
  "9".repeat(400),
  "x".repeat(20_000),
];

const TARGETS = [
  "/api/v2/airtime",
  "/api/v2/sms",
  "/__admin/accounts/default/wallet",
  "/",
  "/metrics",
  "/livez",
  "//",
  "*",
  "http://user:password@gateway.test/api/v2/airtime",
];

/** A valid request with pieces put in, or its end cut off. */
const malformed = fc
  .tuple(
    fc.constantFrom("POST", "GET", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "post"),
    fc.constantFrom(...TARGETS),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...PIECES)), { maxLength: 3 }),
    fc.double({ min: 0.2, max: 1, noNaN: true }),
  )
  .map(([method, target, pieces, share]) => {
    const request = rawPost({ line: `${method} ${target} HTTP/1.1` });
    const changed = pieces.reduce((text, [at, piece]) => insert(text, Math.floor(at * text.length), piece), request);
    return changed.slice(0, Math.ceil(share * changed.length));
  });

test("3,000 malformed requests cause no fault, no 500 and no stop", async () => {
  await using sandbox = await startTestSandbox();
  const requests = fc.sample(malformed, { seed: SEED, numRuns: 3_000 });
  const answers: string[] = [];

  for (let start = 0; start < requests.length; start += 50) {
    const batch = requests.slice(start, start + 50).map((request) => attack(sandbox, request));
    answers.push(...(await Promise.all(batch)));
  }

  // Kredo is no proxy: CONNECT gets 501, and nothing else does.
  const others = answers.filter((_answer, index) => !requests[index]?.trimStart().startsWith("CONNECT "));
  expect(others.filter((answer) => answer.startsWith("HTTP/1.1 5"))).toEqual([]);
  expect(answers.filter((answer) => /^HTTP\/1\.1 5(?!01)/.test(answer))).toEqual([]);
  expect(sandbox.faults).toEqual([]);
  expect((await fetch(`http://127.0.0.1:${sandbox.port}/livez`)).status).toBe(200);
});

test.each(["http://user:password@gateway.test", "https://user@gateway.test", "http:///user:password@gateway.test"])(
  "a request for %s is refused as the client's mistake",
  async (origin) => {
    await using sandbox = await startTestSandbox();
    await using client = await sandbox.connect();

    await client.send(rawPost({ line: `POST ${origin}/api/v2/airtime HTTP/1.1` }));

    expect((await client.read()).status).toBe(400);
    expect(sandbox.faults).toEqual([]);
  },
);

function insert(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

async function attack(sandbox: TestSandbox, request: string): Promise<string> {
  await using client: RawClient = await sandbox.connect();
  await client.send(request);
  await turns(5);
  client.socket.end();
  return await client.readToEnd();
}
