import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { manualWallClock } from "../support/manual-wall-clock.ts";
import { pauseOn } from "../../src/adapters/time/system-pause.ts";
import { exchange } from "../../src/adapters/http-exchange.ts";
import { run } from "../../src/cli/run.ts";
import { setCallbacks } from "../../src/engine/commands.ts";
import { AIRTIME, DETAILS } from "../support/gateway-client.ts";
import { turns } from "../support/raw-client.ts";
import { rawHead, rawPost } from "../support/raw-requests.ts";
import { AUTHORIZATION } from "../support/sandbox.ts";
import { rule, script } from "../support/scripted.ts";
import { type SecureSandbox, startSecureSandbox } from "../support/secure-sandbox.ts";
import { fakeTerminal } from "../support/terminal.ts";
import { callbacksTo } from "../support/world.ts";
import { receiveHttp } from "./receivers.ts";

interface Get {
  readonly url: string;
  readonly ca?: string;
}

/** The status and body of an answer, or the code of the error in its place. */
function get({ url, ca }: Get): Promise<unknown> {
  return new Promise((resolve) => {
    const sent = request(url, { ...(ca !== undefined && { ca }), agent: false, headers: { authorization: AUTHORIZATION } });
    sent.on("error", ({ code }: Error & { code?: string }) => resolve(code));
    sent.on("response", (answer) => void answer.toArray().then((chunks) => resolve([answer.statusCode, Buffer.concat(chunks).toString()])));
    sent.end();
  });
}

/** Sends an order and answers the bytes that came back, and how the connection ended. */
async function order(sandbox: SecureSandbox): Promise<{ bytes: string; ending: unknown }> {
  return readToEnd(await sandbox.handshake(), rawPost());
}

function readToEnd(socket: TLSSocket, sent: string): Promise<{ bytes: string; ending: unknown }> {
  const chunks: Buffer[] = [];
  const bytes = (): string => Buffer.concat(chunks).toString("latin1");
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    socket.once("error", ({ code }: Error & { code?: string }) => resolve({ bytes: bytes(), ending: code }));
    socket.once("end", () => resolve({ bytes: bytes(), ending: "end" }));
    socket.write(sent);
  });
}

test("answers a client that trusts the authority, by name and by address", async () => {
  await using sandbox = await startSecureSandbox();
  const { ca } = sandbox;

  const answers = await Promise.all(
    ["127.0.0.1", "localhost"].map((host) => get({ url: `https://${host}:${sandbox.secure.port}${DETAILS}`, ca })),
  );

  expect(sandbox.secure.url).toBe(`https://127.0.0.1:${sandbox.secure.port}`);
  expect(answers).toEqual([
    [200, expect.stringContaining("available_balance")],
    [200, expect.stringContaining("available_balance")],
  ]);
});

test("a client that does not trust it finds nothing to talk to", async () => {
  await using sandbox = await startSecureSandbox();

  expect(await get({ url: sandbox.secure.url })).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
});

test("a verb says how to trust it, and how to ask a port without TLS", async () => {
  await using sandbox = await startSecureSandbox();
  const [terminal, other] = [fakeTerminal(), fakeTerminal()];

  const exitCodes = [
    await run(["balance", "--url", sandbox.secure.url], terminal),
    await run(["ready", "--url", `https://127.0.0.1:${sandbox.port}`], other),
  ];

  expect(exitCodes).toEqual([3, 1]);
  expect(terminal.complained()).toMatch(
    /^https:.+ cannot be reached \(.+\): set NODE_EXTRA_CA_CERTS to its authority's certificate .+, or /,
  );
  expect(other.complained()).toMatch(/ does not answer \(the server there does not speak TLS\): use http:\/\/, or /);
});

test("serves the certificate to trust on both ports, to whoever asks", async () => {
  await using sandbox = await startSecureSandbox();
  const { ca } = sandbox;

  const plain = await exchange({ method: "GET", url: `http://127.0.0.1:${sandbox.port}/ca.pem`, headers: {}, limit: 5_000 });
  const secure = await get({ url: `${sandbox.secure.url}/ca.pem`, ca });

  expect(plain).toMatchObject({ status: 200, text: ca, headers: { "content-type": "application/pem-certificate-chain" } });
  expect(secure).toEqual([200, ca]);
});

test("speaks HTTP/1.1 and nothing else", async () => {
  await using sandbox = await startSecureSandbox();

  const socket = await sandbox.handshake({ ALPNProtocols: ["h2", "http/1.1"] });
  const refusal = await sandbox.handshake({ ALPNProtocols: ["h2"] }).catch(({ code }: Error & { code?: string }) => code);
  socket.destroy();

  expect(socket.alpnProtocol).toBe("http/1.1");
  expect(refusal).toBe("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
});

test("keeps a connection for the next request", async () => {
  await using sandbox = await startSecureSandbox();
  const socket = await sandbox.handshake();

  const { bytes } = await readToEnd(
    socket,
    rawHead({ line: `GET ${DETAILS} HTTP/1.1` }) + rawHead({ line: `GET ${DETAILS} HTTP/1.1`, headers: ["Connection: close"] }),
  );

  expect(bytes.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test("calls back once the acknowledgment is out", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using sandbox = await startSecureSandbox({ clock: "real", latency_ms: 0 });
  setCallbacks(sandbox.account, callbacksTo(receiver.url));
  const socket = await sandbox.handshake();

  socket.write(rawPost());
  await once(socket, "data");
  const isDrained = await sandbox.account.drain(5_000);
  socket.destroy();

  expect([isDrained, receiver.requests.length]).toEqual([true, 1]);
});

test.each([
  ["before", 0],
  ["after", 9_500],
])("resets the TCP connection beneath %s acceptance", async (stage, held) => {
  await using sandbox = await startSecureSandbox();
  await script(sandbox.account, rule(`then: { connection: reset_${stage}_accept }`));

  expect(await order(sandbox)).toEqual({ bytes: "", ending: "ECONNRESET" });
  expect(sandbox.account.state.wallet.held).toBe(held);
  expect(sandbox.faults).toEqual([]);
});

test("closes without a byte", async () => {
  await using sandbox = await startSecureSandbox();
  await script(sandbox.account, rule("then: { connection: empty_after_accept }"));

  expect(await order(sandbox)).toEqual({ bytes: "", ending: "end" });
});

test("promises more than comes", async () => {
  await using sandbox = await startSecureSandbox();
  await script(sandbox.account, rule("then: { connection: truncate_after_accept }"));

  const { bytes, ending } = await order(sandbox);

  const [head = "", body = ""] = bytes.split("\r\n\r\n");
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(body.length);
  expect(body).toMatch(/^\{"status_code":200,/);
  expect(ending).toBe("end");
});

test("sends what is not HTTP", async () => {
  await using sandbox = await startSecureSandbox();
  await script(sandbox.account, rule("then: { connection: garbage_after_accept }"));

  const { bytes } = await order(sandbox);

  expect(bytes).toContain("neither HTTP");
  expect(bytes).not.toContain("HTTP/1.1");
});

test("drips no whole acknowledgment of what was not accepted", async () => {
  const wall = manualWallClock(0);
  await using sandbox = await startSecureSandbox({}, { pause: pauseOn(wall) });
  await script(sandbox.account, rule("then: { connection: drip_before_accept }"));

  const { bytes } = await withTimePassing(order(sandbox), wall);

  expect(bytes.split("\r\n\r\n")[1]).toMatch(/^\{"status_code":200,.*[^}]$/);
});

test("a hanging connection does not keep the sandbox from stopping", async () => {
  const sandbox = await startSecureSandbox();
  await script(sandbox.account, rule("then: { connection: hang_before_accept }"));
  const ended = order(sandbox);
  await sandbox.account.until(() => sandbox.account.state.requests === 1, 5_000);

  await sandbox[Symbol.asyncDispose]();

  expect((await ended).bytes).toBe("");
});

test("says of a client that speaks no TLS that it does not", async () => {
  await using sandbox = await startSecureSandbox();
  const socket = connectTcp(sandbox.secure.port, "127.0.0.1");
  socket.on("error", () => {});

  socket.write(rawHead({ line: `GET ${AIRTIME} HTTP/1.1` }));
  await once(socket, "close");

  expect(sandbox.failures).toEqual(["ERR_SSL_HTTP_REQUEST"]);
});

test("the command prints both URLs and whom to trust, and keeps the authority for the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-https-"));
  const out = join(folder, "given.pem");
  const words = ["--https", "--port", "0", "--ca-folder", folder, "--ca-out", out];

  const first = await startAndStop(words);
  const ca = readFileSync(out, "utf8");
  const second = await startAndStop(words);

  expect(first).toMatch(/^Kredo sandbox {3}http:\/\/127\.0\.0\.1:\d+\nHTTPS {11}https:\/\/127\.0\.0\.1:\d+\n/);
  expect(first).toContain(`\nto trust it     NODE_EXTRA_CA_CERTS=${out}, or the certificate at http://127.0.0.1:`);
  expect(second).toContain("Ready.");
  expect(readFileSync(out, "utf8")).toBe(ca);
});

test("the command says what is wrong with the authority, and starts nothing", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-https-")), "a-file");
  const place = join(file, "ca");
  writeFileSync(file, "");
  const terminal = fakeTerminal();

  const exitCode = await run(["serve", "--https", "--port", "0", "--ca-folder", place], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.printed()).toBe("");
  expect(terminal.complained()).toBe(`${place}: cannot be written (ENOTDIR); name a folder that can\n`);
});

/** What the command printed from its start to its end. */
async function startAndStop(words: readonly string[]): Promise<string> {
  const terminal = fakeTerminal();
  const code = run(["serve", ...words], terminal);
  await terminal.untilSaid("Ready.");
  terminal.interrupt();
  expect(await code).toBe(0);
  return terminal.printed();
}

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

test("answers a second request whose client closes its side with it", async () => {
  await using sandbox = await startSecureSandbox();
  const socket = await sandbox.handshake();
  socket.write(rawPost());
  await once(socket, "data");
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk));

  socket.end(rawPost());
  await once(socket, "close");

  expect(Buffer.concat(received).toString("latin1")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
