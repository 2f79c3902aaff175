import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/sandbox.ts";
import { rawPost } from "../support/gateway/raw-requests.ts";
import { receiveTcp } from "../support/gateway/http-receivers.ts";
import { SEED } from "./seed.ts";

const NESTED = ["[".repeat(5_000), "{a: ".repeat(5_000), "- ".repeat(5_000), "? ".repeat(5_000), "[? ".repeat(5_000)];

const CALLS = [
  ["POST", "/accounts"],
  ["PUT", "/accounts/default/wallet"],
  ["PUT", "/accounts/default/clock"],
  ["PUT", "/accounts/default/callbacks"],
  ["POST", "/accounts/default/scenarios"],
  ["PUT", "/accounts/default/import"],
  ["POST", "/accounts/default/clock/advance"],
] as const;

test("documents nested 5,000 levels deep are refused by every call, as JSON and as YAML", async () => {
  await using sandbox = await startTestSandbox();
  const attacks = CALLS.flatMap((call) =>
    NESTED.flatMap((body) => ["json", "yaml"].map((type) => ({ call, body, type }))),
  );

  const statuses = await Promise.all(attacks.map(({ call, body, type }) => send(sandbox, call, body, type)));

  expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  expect(sandbox.faults).toEqual([]);
});

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    1e308,
    -1e308,
    2 ** 53,
    -0,
    "1e999",
    "\u202e",
    "\ud800",
    "0x10",
    "__proto__",
    { __proto__: null },
    { constructor: { prototype: 1 } },
  ),
);

const KEYS = [
  "balance",
  "name",
  "mode",
  "rules",
  "airtime",
  "by",
  "to",
  "events",
  "accounts",
  "consumer_key",
  "version",
];

test("2,000 control calls with odd values cause no fault and pollute no prototype", async () => {
  await using sandbox = await startTestSandbox();
  const drawn = fc.tuple(
    fc.constantFrom(...CALLS),
    fc.array(fc.tuple(fc.constantFrom(...KEYS, "__proto__", "constructor"), odd), { maxLength: 4 }),
    fc.constantFrom("json", "yaml"),
  );
  const attacks = fc.sample(drawn, { seed: SEED, numRuns: 2_000 });
  const statuses: number[] = [];

  for (const [call, entries, type] of attacks) statuses.push(await send(sandbox, call, writeObject(entries), type));

  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(sandbox.faults).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.each(["999.1.1.1", "xn--a", "256.256.256.256", "evil.example", "127.0.0.1.evil.example"])(
  "the Host %s is refused as the client's mistake",
  async (host) => {
    await using sandbox = await startTestSandbox();
    await using client = await sandbox.connect();

    await client.send(`GET /__admin/accounts HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

    expect((await client.read()).status).toBeOneOf([400, 421]);
    expect(sandbox.faults).toEqual([]);
  },
);

const OF_MESSAGES = ["Content-Encoding", "Content-Length", "Content-Type", "Date", "Expect", "Location", "Set-Cookie"];
const OF_CONNECTIONS = ["Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "HTTP2-Settings"];
const OF_HOPS = ["Host", "Proxy-Authenticate", "Proxy-Connection", "Via", "__proto__"];
const HEADER_NAMES = [...OF_MESSAGES, ...OF_CONNECTIONS, ...OF_HOPS];

test.each(HEADER_NAMES)("a scenario that adds the header %s is refused, or its orders are answered", async (header) => {
  await using receiver = await receiveTcp((socket) => void socket.on("data", () => socket.end(OK)));
  await using sandbox = await startTestSandbox({ accounts: [{ callbacks: { airtime: receiver.url } }] });
  const headers = `{"${header}":"x"}`;
  const body = `{"version":1,"name":"a","rules":[{"name":"r","then":{"ack":{"headers":${headers}},"callback":{"headers":${headers}}}}]}`;

  const started = await send(sandbox, ["POST", "/accounts/default/scenarios"], body, "json");
  await using client = await sandbox.connect();
  await client.send(rawPost());
  const answer = await client.read();
  const { fired } = await sandbox.account.advance({ by: 60_000 }, 5_000);

  expect(started).toBeOneOf([201, 422]);
  expect(answer.status).toBe(200);
  expect(fired).toMatchObject([{ outcome: { kind: "answered", status: 200 } }]);
  expect(sandbox.faults).toEqual([]);
});

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/** With keys that an object literal cannot have twice, or at all. */
function writeObject(entries: readonly (readonly [string, unknown])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
}

async function send(
  { running }: TestSandbox,
  [method, path]: readonly [string, string],
  body: string,
  type: string,
): Promise<number> {
  const headers = { "content-type": `application/${type}` };
  const answer = await running.fetch(new Request(`http://localhost/__admin${path}`, { method, headers, body }));
  await answer.text();
  return answer.status;
}
