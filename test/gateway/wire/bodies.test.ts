import { expect, test } from "vitest";
import { AIRTIME, DETAILS, SMS, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { rawChunks, rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

const VALID = JSON.stringify(VALID_AIRTIME);
const CHUNKED = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
const SWAHILI = Buffer.from(
  JSON.stringify({ phone_number: "254712345678", sender_id: "SANDBOX", message: "Siku njéma 😀" }),
);

const H2C = [
  "Connection: Upgrade, HTTP2-Settings",
  "Upgrade: h2c",
  "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
];
const HALF_A_LETTER = SWAHILI.subarray(0, SWAHILI.indexOf(0xc3) + 1);

test.each<[string, (string | Uint8Array)[], object]>([
  [
    "a POST that offers h2c, with its body in a packet of its own",
    [rawHead({ headers: [...H2C, ...CHUNKED] }), rawChunks(Buffer.from(VALID))],
    { status: 200 },
  ],
  [
    "a GET that offers a WebSocket",
    [
      rawHead({
        line: `GET ${DETAILS} HTTP/1.1`,
        headers: ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"],
      }),
    ],
    { status: 200 },
  ],
  ["a body in two packets", [rawPost().slice(0, -20), rawPost().slice(-20)], { status: 200 }],
  ["a request byte by byte", Array.from(rawPost()), { status: 200 }],
  [
    "chunks that end within a UTF-8 sequence",
    [rawHead({ headers: CHUNKED }), rawChunks(HALF_A_LETTER)],
    { status: 400, headers: { "x-kredo-hint": expect.stringMatching(/^the body is not valid UTF-8; /) } },
  ],
  [
    "header names in lower case",
    [rawPost().replace(/^[A-Za-z-]+(?=:)/gm, (name) => name.toLowerCase())],
    { status: 200 },
  ],
  [
    "a whole URL in the request line, as proxies send it",
    [rawPost({ line: `POST http://gateway.test${AIRTIME} HTTP/1.1` })],
    { status: 200 },
  ],
])("answers %s", async (_what, packets, answer) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(...packets);

  expect(await client.read()).toMatchObject(answer);
});

test("answers a POST that offers h2c as if it had not, and says for how long the connection is kept", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawPost({ headers: H2C }));
  const first = await client.read();
  await client.send(rawPost({ headers: H2C }));
  const answers = [first, await client.read()];

  expect(answers).toEqual([expect.objectContaining({ status: 200 }), expect.objectContaining({ status: 200 })]);
  expect(answers.flatMap(({ headers }) => Object.keys(headers))).not.toContain("upgrade");
  expect(first.headers).toMatchObject({ connection: "keep-alive", "keep-alive": "timeout=65" });
  expect(sandbox.account.state.transactions.size).toBe(2);
});

test("reads chunks that split a UTF-8 sequence, in packets that split the chunks", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  const accent = SWAHILI.indexOf(0xc3) + 1;
  const emoji = SWAHILI.indexOf(0xf0) + 2;
  const chunks = rawChunks(SWAHILI.subarray(0, accent), SWAHILI.subarray(accent, emoji), SWAHILI.subarray(emoji));

  await client.send(
    rawHead({ line: `POST ${SMS} HTTP/1.1`, headers: CHUNKED }),
    ...Array.from(chunks, (byte) => Uint8Array.of(byte)),
  );
  const { status, body } = await client.read();

  const { accepted } = sandbox.account.state.transactions.get(JSON.parse(body).request_id) ?? {};
  expect(status).toBe(200);
  expect(accepted?.order).toMatchObject({ message: "Siku njéma 😀" });
});

test("sends 100 Continue to a client that waits for it, then the answer", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(
    rawHead({ headers: ["Content-Type: application/json", `Content-Length: ${VALID.length}`, "Expect: 100-continue"] }),
  );
  const interim = await client.read();
  await client.send(VALID);

  expect(interim.status).toBe(100);
  expect(await client.read()).toMatchObject({ status: 200 });
});

test.each([
  ["a declared length", ["Content-Length: 1048577"], Buffer.alloc(1_048_577, 0x20)],
  ["chunks", ["Transfer-Encoding: chunked"], rawChunks(Buffer.alloc(700_000, 0x20), Buffer.alloc(700_000, 0x20))],
])(
  "lets a client read the 413 for %s too long, once it has sent it all, and takes its next request",
  async (_how, headers, body) => {
    await using sandbox = await startTestGateway();
    await using client = await sandbox.connect();

    await client.send(rawHead({ headers: ["Content-Type: application/json", ...headers] }), body, rawPost());
    const answers = [await client.read(), await client.read()];

    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  },
);

test.each([
  ["no", ""],
  ["malformed", "Basic !"],
  ["an unknown key's", basic("nobody", "secret")],
  ["a wrong secret's", basic("sandbox-key", "wrong")],
])("keeps the first 16 KB of a body with %s credentials, and takes the next request", async (_whose, authorization) => {
  await using sandbox = await startTestGateway({ auto_accounts: [] });
  await using client = await sandbox.connect();
  const long = `"${"x".repeat(500_000)}`;

  await client.send(
    rawPost({ authorization, body: `${long}1"` }),
    rawPost({ authorization, body: `${long}2"` }),
    rawPost(),
  );
  const answers = [await client.read(), await client.read(), await client.read()];

  const events = [sandbox.account, sandbox.running.world.sandbox].flatMap((account) => account.journal.read().events);
  const [first, second] = events.flatMap((event) => (event.kind === "refused" ? [event] : []));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
  expect(first).toMatchObject({ body: expect.stringMatching(/^"x{4095}$/) });
  expect(second?.content).toBe(first?.content);
});

test("answers HEAD without a body and keeps the connection", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawHead({ line: `HEAD ${DETAILS} HTTP/1.1` }));
  const head = await client.read("head");
  await client.send(rawHead({ line: `HEAD ${AIRTIME} HTTP/1.1` }));
  const refused = await client.read("head");
  await client.send(rawPost());
  const next = await client.read();

  expect(head).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(refused).toMatchObject({ status: 405, headers: { allow: "POST, OPTIONS" } });
  expect(next.status).toBe(200);
});

test("answers pipelined requests in their order", async () => {
  await using sandbox = await startTestGateway({ auto_accounts: ["test-*"] });
  await using client = await sandbox.connect();
  const slow = rawPost({ authorization: `Basic ${Buffer.from("test-a:x").toString("base64")}` });

  await client.send(slow + rawHead({ line: `GET ${DETAILS} HTTP/1.1` }) + rawPost({ body: "{" }) + rawPost());
  const answers = [await client.read(), await client.read(), await client.read(), await client.read()];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200]);
  expect(answers.map(({ body }) => "organization" in JSON.parse(body))).toEqual([false, true, false, false]);
});

test("lets another client's order go before most of a thousand that one connection brought at once", async () => {
  await using sandbox = await startTestGateway();
  await using crowd = await sandbox.connect();
  await using other = await sandbox.connect();

  crowd.socket.write(rawPost().repeat(1_000));
  await crowd.read();
  await other.send(rawPost({ body: VALID }));
  await other.read();

  const { requests } = sandbox.account.state;
  expect(requests).toBeLessThan(500);
});

test("drops unread what a client sent behind a request whose connection is reset", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  const reset = rawPost({ headers: ["X-Kredo-Scenario: ack-lost-after-accept"] });

  await client.send(reset + rawPost());
  await client.readToEnd();
  await sandbox.account.drain(5_000);

  expect(sandbox.account.state.requests).toBe(1);
});

test("answers HTTP/1.0, with and without Host, and closes the connection", async () => {
  await using sandbox = await startTestGateway();
  await using named = await sandbox.connect();
  await using nameless = await sandbox.connect();
  const bytes = rawPost({ line: `POST ${AIRTIME} HTTP/1.0` });

  await named.send(bytes);
  await nameless.send(bytes.replace("Host: gateway.test\r\n", ""));
  const answers = [await named.readToEnd(), await nameless.readToEnd()];

  expect(answers[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answers[1]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
