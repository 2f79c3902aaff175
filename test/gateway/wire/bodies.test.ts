import { expect, test } from "vitest";
import { AIRTIME, DETAILS, SMS, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { rawChunks, rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { AUTHORIZATION, basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

const VALID = JSON.stringify(VALID_AIRTIME);
const CHUNKED = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
const SWAHILI = Buffer.from(
  JSON.stringify({ phone_number: "254712345678", sender_id: "SANDBOX", message: "Siku njéma 😀" }),
);

test("answers a POST that offers h2c as if it had not", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  const offer = [
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
  ];

  await client.send(rawPost({ headers: offer }));
  const first = await client.read();
  await client.send(rawPost({ headers: offer }));
  const answers = [first, await client.read()];

  expect(answers).toEqual([expect.objectContaining({ status: 200 }), expect.objectContaining({ status: 200 })]);
  expect(answers.flatMap(({ headers }) => Object.keys(headers))).not.toContain("upgrade");
  expect(sandbox.account.state.transactions.size).toBe(2);
});

test("answers a POST that offers h2c with its body in a packet of its own", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAA"];

  await client.send(rawHead({ headers: [...offer, ...CHUNKED] }), rawChunks(Buffer.from(VALID)));

  expect(await client.read()).toMatchObject({ status: 200 });
});

test("answers a GET that offers a WebSocket as if it had not", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(
    rawHead({
      line: `GET ${DETAILS} HTTP/1.1`,
      headers: ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"],
    }),
  );

  expect(await client.read()).toMatchObject({ status: 200 });
});

test("reads a body that comes in two packets", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  const bytes = rawPost();

  await client.send(bytes.slice(0, -20), bytes.slice(-20));

  expect(await client.read()).toMatchObject({ status: 200 });
});

test("reads a request that comes byte by byte", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(...Array.from(rawPost()));

  expect(await client.read()).toMatchObject({ status: 200 });
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

test("refuses chunks that end within a UTF-8 sequence", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawHead({ headers: CHUNKED }), rawChunks(SWAHILI.subarray(0, SWAHILI.indexOf(0xc3) + 1)));

  expect(await client.read()).toMatchObject({
    status: 400,
    headers: { "x-kredo-hint": "the body is not valid UTF-8" },
  });
});

test.each([
  ["lower case", (head: string) => head.toLowerCase()],
  ["upper case", (head: string) => head.toUpperCase()],
])("reads header names in %s", async (_case, recase) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  const names = rawPost().replace(/^[A-Za-z-]+(?=:)/gm, (name) => recase(name));

  await client.send(names);

  expect(await client.read()).toMatchObject({ status: 200 });
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

  const events = [sandbox.account, sandbox.running.world.sandbox].flatMap((account) => account.read().events);
  const [first, second] = events.flatMap((event) => (event.kind === "refused" ? [event] : []));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
  expect(first).toMatchObject({ body: expect.stringMatching(/^"x{4095}$/) });
  expect(second?.content).toBe(first?.content);
});

test("answers 413 to a declared length at once, without the body", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawHead({ headers: ["Content-Type: application/json", "Content-Length: 1048577"] }));

  expect(await client.read()).toMatchObject({ status: 413 });
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

test("answers OPTIONS without credentials", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(`OPTIONS ${AIRTIME} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`);

  expect(await client.read()).toMatchObject({ status: 204, headers: { allow: "POST, OPTIONS" } });
});

test("keeps a connection for two requests, and says for how long", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawPost());
  const first = await client.read();
  await client.send(rawPost());
  const second = await client.read();

  expect({ first: first.status, second: second.status }).toEqual({ first: 200, second: 200 });
  expect(first.headers).toMatchObject({ connection: "keep-alive", "keep-alive": "timeout=65" });
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

test("takes a whole URL in the request line, as proxies send it", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawPost({ line: `POST http://gateway.test${AIRTIME} HTTP/1.1`, authorization: AUTHORIZATION }));

  expect(await client.read()).toMatchObject({ status: 200 });
});
