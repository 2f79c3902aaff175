import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { createUndiciTransport } from "../../../src/gateway/adapters/delivery/undici-transport.ts";
import type { CallbackRequest, CallbackTransport } from "../../../src/gateway/ports/callback-transport.ts";
import { receiveHttp, receiveHttps, receiveTcp, signCertificate } from "../../support/gateway/http-receivers.ts";

const NEVER = new AbortController().signal;

describe("a receiver", () => {
  test("that does not answer in time has its connection closed", async () => {
    await using transport = open();
    await using receiver = await receiveHttp(() => {});

    const { outcome, millis } = await transport.deliver({ ...callback(receiver.url), timeout: 50 }, NEVER);
    await Promise.all(receiver.closed);

    expect(outcome).toEqual({ kind: "timed_out" });
    // Timers count whole milliseconds, this clock does not.
    expect(millis).toBeGreaterThan(48);
  });

  test("that accepts and never says a word of TLS is out of time, too", async () => {
    await using transport = open();
    await using receiver = await receiveTcp((socket) => void socket.resume());

    const { outcome } = await transport.deliver(
      { ...callback(`https://127.0.0.1:${receiver.port}/`), timeout: 30 },
      NEVER,
    );
    await Promise.all(receiver.closed);

    expect(outcome).toEqual({ kind: "timed_out" });
  });

  test("that is not there refuses", async () => {
    await using transport = open();
    const receiver = await receiveHttp(() => {});
    await receiver[Symbol.asyncDispose]();

    const { outcome } = await transport.deliver(callback(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "refused" });
  });

  test("that is at neither address of its name refuses", async () => {
    await using transport = open();
    const receiver = await receiveHttp(() => {});
    await receiver[Symbol.asyncDispose]();

    const { outcome } = await transport.deliver(callback(`http://localhost:${receiver.port}/`), NEVER);

    expect(outcome).toEqual({ kind: "refused" });
  });

  test("whose name has no address is unresolved", async () => {
    await using transport = open();

    // RFC 1035 allows 63 characters between dots, so no resolver is asked.
    const { outcome } = await transport.deliver(callback(`http://${"a".repeat(64)}.test/`), NEVER);

    expect(outcome).toEqual({ kind: "unresolved_name" });
  });

  test("that closes without an answer counts as a reset", async () => {
    await using transport = open();
    await using receiver = await receiveTcp((socket) => socket.once("data", () => socket.end()));

    const { outcome } = await transport.deliver(callback(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "reset" });
    expect(receiver.connections).toHaveLength(1);
  });

  test("that speaks something else than HTTP counts as a reset, with the reason", async () => {
    await using transport = open();
    await using receiver = await receiveTcp((socket) =>
      socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n")),
    );

    const { outcome } = await transport.deliver(callback(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "reset", reason: expect.stringContaining("HTTP/1.1 protocol") });
  });

  test("that does not speak TLS is told apart from one that does", async () => {
    await using transport = open();
    await using receiver = await receiveHttp((_, response) => response.end());

    const { outcome } = await transport.deliver(callback(`https://127.0.0.1:${receiver.port}/`), NEVER);

    expect(outcome).toEqual({ kind: "tls", reason: expect.stringContaining("WRONG_VERSION_NUMBER") });
    expect(receiver.requests).toEqual([]);
  });
});

test.each([
  ["speaks HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n"],
  // A fatal alert: handshake_failure (RFC 8446 §6).
  ["refuses the handshake", "\x15\x03\x03\x00\x02\x02\x28"],
])("of a receiver that %s, the reason is given without OpenSSL's own file and line", async (_, said) => {
  await using transport = open();
  await using receiver = await receiveTcp((socket) => socket.once("data", () => socket.end(said, "latin1")));

  const { outcome } = await transport.deliver(callback(`https://127.0.0.1:${receiver.port}/`), NEVER);

  expect(outcome).toEqual({ kind: "tls", reason: expect.stringMatching(/^[A-Z][A-Z0-9_/]+: [a-z0-9/ ]+$/) });
});

describe("a certificate that vouches for itself", () => {
  test("is refused before anything is sent", async () => {
    await using transport = open();
    await using receiver = await receiveHttps(signCertificate(), (_, response) => response.end());

    const { outcome } = await transport.deliver(callback(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "tls", reason: expect.stringContaining("DEPTH_ZERO_SELF_SIGNED_CERT") });
    expect(receiver.requests).toEqual([]);
  });

  test("is taken when it is given as an authority", async () => {
    const certificate = signCertificate();
    await using transport = open();
    await using receiver = await receiveHttps(certificate, (_, response) => response.end());

    const { outcome } = await transport.deliver({ ...callback(receiver.url), ca: certificate.cert }, NEVER);

    expect(outcome).toEqual({ kind: "answered", status: 200, body: "" });
  });

  test("is taken by a callback that takes any, and by no other", async () => {
    await using transport = open();
    await using receiver = await receiveHttps(signCertificate(), (_, response) => response.end());

    const insecure = await transport.deliver({ ...callback(receiver.url), insecure: true }, NEVER);
    const secure = await transport.deliver(callback(receiver.url), NEVER);

    expect(insecure.outcome).toEqual({ kind: "answered", status: 200, body: "" });
    expect(secure.outcome.kind).toBe("tls");
  });
});

test.each([
  ["http://169.254.169.254/latest/meta-data/", "metadata service"],
  ["http://[::ffff:169.254.169.254]/", "metadata service"],
  ["http://[fd00:a9fe:a9fe::1]/v1/token", "metadata service"],
  ["http://[fd00:c1::a9fe:a9fe]/opc/v2/", "metadata service"],
  ["http://metadata.google.internal/", "metadata service"],
  ["http://203.0.113.9/", "public address; list 203.0.113.9 under callback_allow"],
  ["https://[2001:db8::1]/", "public address"],
  ["http://3405803785/", "203.0.113.9 is a public address"],
  ["ftp://127.0.0.1/", "not a protocol that callbacks use"],
  ["localhost", "not a URL"],
])("nothing is sent to %s", async (url, reason) => {
  await using transport = open();

  const { outcome } = await transport.deliver(callback(url), NEVER);

  expect(outcome).toEqual({ kind: "blocked", reason: expect.stringContaining(reason) });
});

test("a header that would break the message stops the callback", async () => {
  await using transport = open();
  await using receiver = await receiveHttp((_, response) => response.end());

  const { outcome } = await transport.deliver({ ...callback(receiver.url), headers: { "x-a": "1\r\nx-b: 2" } }, NEVER);

  expect(outcome).toEqual({ kind: "blocked", reason: expect.stringContaining("x-a") });
  expect(receiver.connections).toEqual([]);
});

describe("a signal", () => {
  test("that aborts while the receiver thinks abandons the callback and closes its connection", async () => {
    await using transport = open();
    const stop = new AbortController();
    await using receiver = await receiveHttp(() => stop.abort());

    const { outcome } = await transport.deliver(callback(receiver.url), stop.signal);
    await Promise.all(receiver.closed);

    expect(outcome).toEqual({ kind: "abandoned" });
  });

  test("that aborts while the connection is being made lets nothing be sent", async () => {
    await using transport = open();
    const stop = new AbortController();
    await using receiver = await receiveHttp((_, response) => response.end());
    await transport.deliver(callback(receiver.url), NEVER);

    const first = transport.deliver(callback(receiver.url), NEVER);
    const second = transport.deliver({ ...callback(receiver.url), body: "never" }, stop.signal);
    stop.abort();
    const [, { outcome }] = await Promise.all([first, second]);
    await transport.deliver(callback(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "abandoned" });
    expect(receiver.requests.map(({ body }) => body)).not.toContain("never");
  });

  test("that has aborted lets nothing begin", async () => {
    await using transport = open();
    await using receiver = await receiveHttp((_, response) => response.end());

    const { outcome } = await transport.deliver(callback(receiver.url), AbortSignal.abort());

    expect(outcome).toEqual({ kind: "abandoned" });
    expect(receiver.connections).toEqual([]);
  });

  test("is listened to once by all its callbacks, and no longer than they last", async () => {
    await using transport = open();
    const { signal } = new AbortController();
    const listeners: number[] = [];
    await using receiver = await receiveHttp((_, response) => {
      listeners.push(getEventListeners(signal, "abort").length);
      response.end();
    });

    await Promise.all(Array.from({ length: 20 }, () => transport.deliver(callback(receiver.url), signal)));

    expect(listeners).toEqual(Array.from({ length: 20 }, () => 1));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test("closing abandons what is under way and lets nothing begin", async () => {
  await using transport = open();
  const closing: Promise<void>[] = [];
  await using receiver = await receiveHttp(() => closing.push(transport.close()));

  const underWay = await transport.deliver(callback(receiver.url), NEVER);
  await Promise.all([...closing, ...receiver.closed]);
  const late = await transport.deliver(callback(receiver.url), NEVER);

  expect(closing).toHaveLength(1);
  expect({ underWayOutcome: underWay.outcome, lateOutcome: late.outcome }).toEqual({
    underWayOutcome: { kind: "abandoned" },
    lateOutcome: { kind: "abandoned" },
  });
});

function open(): CallbackTransport & AsyncDisposable {
  const transport = createUndiciTransport({ callbackAllow: [], now: () => performance.now() });
  return { ...transport, [Symbol.asyncDispose]: () => transport.close() };
}

function callback(url: string): CallbackRequest {
  return {
    url,
    trusted: false,
    headers: { "content-type": "application/json" },
    body: "{}",
    timeout: 60_000,
    insecure: false,
  };
}
