import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import {
  type Receiver,
  receiveHttp,
  receiveHttps,
  receiveTcp,
  signCertificate,
} from "../../support/gateway/http-receivers.ts";
import { callbackTo, openTransport } from "../../support/gateway/open-transport.ts";

const NEVER = new AbortController().signal;

test("a receiver that does not answer in time has its connection closed", async () => {
  await using transport = openTransport();
  await using receiver = await receiveHttp(() => {});

  const { outcome, millis } = await transport.deliver({ ...callbackTo(receiver.url), timeout: 50 }, NEVER);
  await Promise.all(receiver.closed);

  expect(outcome).toEqual({ kind: "timed_out" });
  // Timers count whole milliseconds, this clock does not.
  expect(millis).toBeGreaterThan(48);
});

test("a receiver that accepts and never says a word of TLS is out of time, too", async () => {
  await using transport = openTransport();
  await using receiver = await receiveTcp((socket) => void socket.resume());
  const url = receiver.url.replace("http", "https");

  const { outcome } = await transport.deliver({ ...callbackTo(url), timeout: 30 }, NEVER);
  await Promise.all(receiver.closed);

  expect(outcome).toEqual({ kind: "timed_out" });
});

test.each<[string, string, CallbackOutcome["kind"]]>([
  ["that is not there", "127.0.0.1", "refused"],
  ["that is at neither address of its name", "localhost", "refused"],
  // RFC 1035 allows 63 characters between dots, so no resolver is asked.
  ["whose name has no address", `${"a".repeat(64)}.test`, "unresolved_name"],
])("a callback to a receiver %s is %3$s", async (_which, host, kind) => {
  await using transport = openTransport();
  const receiver = await receiveHttp(() => {});
  await receiver[Symbol.asyncDispose]();

  const { outcome } = await transport.deliver(callbackTo(`http://${host}:${receiver.port}/`), NEVER);

  expect(outcome).toEqual({ kind });
});

const saying = (bytes: string) => () =>
  receiveTcp((socket) => void socket.once("data", () => socket.end(bytes, "latin1")));
const failed = (kind: string, reason: RegExp): object => ({ kind, reason: expect.stringMatching(reason) });
// The reason is given without OpenSSL's own file and line.
const OF_OPENSSL = /^[A-Z][A-Z0-9_/]+: [a-z0-9/ ]+$/;

test.each<[string, string, () => Promise<Receiver>, object]>([
  ["closes without an answer", "http", saying(""), { kind: "reset" }],
  ["does not speak HTTP", "http", saying("SSH-2.0-OpenSSH_9.6\r\n"), failed("reset", /HTTP\/1\.1 protocol/)],
  [
    "does not speak TLS",
    "https",
    () => receiveHttp((_, response) => response.end()),
    failed("tls", /WRONG_VERSION_NUMBER/),
  ],
  [
    "says in plain text that it wants TLS",
    "https",
    saying("HTTP/1.1 400 Bad Request\r\n\r\n"),
    failed("tls", OF_OPENSSL),
  ],
  // A fatal alert: handshake_failure (RFC 8446 §6).
  ["refuses the handshake", "https", saying("\x15\x03\x03\x00\x02\x02\x28"), failed("tls", OF_OPENSSL)],
])("a receiver that %s is told apart, and gets nothing twice", async (_what, scheme, open, expected) => {
  await using transport = openTransport();
  await using receiver = await open();

  const { outcome } = await transport.deliver(callbackTo(`${scheme}://127.0.0.1:${receiver.port}/`), NEVER);

  expect(outcome).toEqual(expected);
  expect({ requests: receiver.requests, connections: receiver.connections.length }).toEqual({
    requests: [],
    connections: 1,
  });
});

test("a certificate that vouches for itself is refused before anything is sent, unless the callback takes it", async () => {
  const certificate = signCertificate();
  await using transport = openTransport();
  await using receiver = await receiveHttps(certificate, (_, response) => response.end());
  const request = callbackTo(receiver.url);

  const refused = await transport.deliver(request, NEVER);
  const sent = receiver.requests.length;
  const byAuthority = await transport.deliver({ ...request, ca: certificate.cert }, NEVER);
  const insecure = await transport.deliver({ ...request, insecure: true }, NEVER);
  const refusedAgain = await transport.deliver(request, NEVER);

  const refusal = { kind: "tls", reason: expect.stringContaining("DEPTH_ZERO_SELF_SIGNED_CERT") };
  expect([refused.outcome, refusedAgain.outcome, sent]).toEqual([refusal, refusal, 0]);
  expect([byAuthority.outcome.kind, insecure.outcome.kind]).toEqual(["answered", "answered"]);
});

test.each([
  ["http://169.254.169.254/latest/meta-data/", "metadata service"],
  ["http://metadata.google.internal/", "metadata service"],
  ["http://203.0.113.9/", "public address; list 203.0.113.9 under callback_allow"],
  ["http://3405803785/", "203.0.113.9 is a public address"],
  ["ftp://127.0.0.1/", "not a protocol that callbacks use"],
  ["localhost", "not a URL"],
])("nothing is sent to %s", async (url, reason) => {
  await using transport = openTransport();

  const { outcome } = await transport.deliver(callbackTo(url), NEVER);

  expect(outcome).toEqual({ kind: "blocked", reason: expect.stringContaining(reason) });
});

test("a header that would break the message stops the callback", async () => {
  await using transport = openTransport();
  await using receiver = await receiveHttp((_, response) => response.end());

  const { outcome } = await transport.deliver(
    { ...callbackTo(receiver.url), headers: { "x-a": "1\r\nx-b: 2" } },
    NEVER,
  );

  expect(outcome).toEqual({ kind: "blocked", reason: expect.stringContaining("x-a") });
  expect(receiver.connections).toEqual([]);
});

describe("a signal", () => {
  test("that aborts while the receiver thinks abandons the callback and closes its connection", async () => {
    await using transport = openTransport();
    const stop = new AbortController();
    await using receiver = await receiveHttp(() => stop.abort());

    const { outcome } = await transport.deliver(callbackTo(receiver.url), stop.signal);
    await Promise.all(receiver.closed);

    expect(outcome).toEqual({ kind: "abandoned" });
  });

  test("that aborts while the connection is being made lets nothing be sent", async () => {
    await using transport = openTransport();
    const stop = new AbortController();
    await using receiver = await receiveHttp((_, response) => response.end());
    await transport.deliver(callbackTo(receiver.url), NEVER);

    const first = transport.deliver(callbackTo(receiver.url), NEVER);
    const second = transport.deliver({ ...callbackTo(receiver.url), body: "never" }, stop.signal);
    stop.abort();
    const [, { outcome }] = await Promise.all([first, second]);
    await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "abandoned" });
    expect(receiver.requests.map(({ body }) => body)).not.toContain("never");
  });

  test("that is already aborted lets nothing begin", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end());

    const { outcome } = await transport.deliver(callbackTo(receiver.url), AbortSignal.abort());

    expect(outcome).toEqual({ kind: "abandoned" });
    expect(receiver.connections).toEqual([]);
  });

  test("gets one listener for all its callbacks, only as long as they run", async () => {
    await using transport = openTransport();
    const { signal } = new AbortController();
    const listeners: number[] = [];
    await using receiver = await receiveHttp((_, response) => {
      listeners.push(getEventListeners(signal, "abort").length);
      response.end();
    });

    await Promise.all(Array.from({ length: 20 }, () => transport.deliver(callbackTo(receiver.url), signal)));

    expect(listeners).toEqual(Array.from({ length: 20 }, () => 1));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test("closing abandons what is under way and lets nothing begin", async () => {
  await using transport = openTransport();
  const closing: Promise<void>[] = [];
  await using receiver = await receiveHttp(() => closing.push(transport.close()));

  const underWay = await transport.deliver(callbackTo(receiver.url), NEVER);
  await Promise.all([...closing, ...receiver.closed]);
  const late = await transport.deliver(callbackTo(receiver.url), NEVER);

  expect(closing).toHaveLength(1);
  expect({ underWayOutcome: underWay.outcome, lateOutcome: late.outcome }).toEqual({
    underWayOutcome: { kind: "abandoned" },
    lateOutcome: { kind: "abandoned" },
  });
});
