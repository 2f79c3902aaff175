import { describe, expect, test } from "vitest";
import type { RequestListener } from "node:http";
import { receiveHttp, receiveHttps, receiveTcp, signCertificate } from "../../support/gateway/http-receivers.ts";
import { callbackTo, openTransport } from "../../support/gateway/open-transport.ts";

const NEVER = new AbortController().signal;

const redirect: RequestListener = (_, response) => response.writeHead(301, { location: "/hooks/" }).end("moved");
const hint: RequestListener = (_, response) => response.writeEarlyHints({ link: "</a.css>" }, () => response.end("ok"));

describe("an answer", () => {
  test.each<[string, RequestListener, object]>([
    [
      "its status and body",
      (_, r) => r.writeHead(503).end("down, é"),
      { kind: "answered", status: 503, body: "down, é" },
    ],
    ["the final one, after interim ones", hint, { kind: "answered", status: 200, body: "ok" }],
    [
      "a redirect that is not followed",
      redirect,
      { kind: "redirect", status: 301, location: "/hooks/", body: "moved" },
    ],
  ])("is %s", async (_what, answer, outcome) => {
    await using transport = openTransport();
    await using receiver = await receiveHttp(answer);

    const delivered = await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(delivered.outcome).toEqual(outcome);
    expect(receiver.requests).toHaveLength(1);
  });

  test("counts up to its status line on the given clock", async () => {
    const readings = [1_000, 1_007];
    await using transport = openTransport(() => readings.shift() ?? 0);
    await using receiver = await receiveHttp((_, response) => response.end());

    const { millis } = await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(millis).toBe(7);
  });

  test("counts when its status line came in time and its body did not", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.write("half"));

    const { outcome } = await transport.deliver({ ...callbackTo(receiver.url), timeout: 2_000 }, NEVER);

    expect(outcome).toEqual({ kind: "answered", status: 200, body: "half" });
  });

  test("counts when its connection broke in its body", async () => {
    await using transport = openTransport();
    await using receiver = await receiveTcp((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"));
    });

    const { outcome } = await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "answered", status: 200, body: "half" });
  });

  test("of 1 MB is kept up to 4 KB, and its connection is given up", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end("x".repeat(1_048_576)));

    const { outcome } = await transport.deliver(callbackTo(receiver.url), NEVER);
    await Promise.all(receiver.closed);

    expect(outcome).toEqual({ kind: "answered", status: 200, body: "x".repeat(4_096) });
  });

  test.each([
    [
      "600 KB of headers",
      `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(100_000)}\r\n`,
      { kind: "answered", status: 200, body: "" },
    ],
    [
      "one header of 600 KB",
      `HTTP/1.1 200 OK\r\na: ${"b".repeat(600_000)}\r\n\r\n`,
      { kind: "answered", status: 200, body: "" },
    ],
    [
      "an informational response of 600 KB",
      `HTTP/1.1 100 Continue\r\n${"a: b\r\n".repeat(100_000)}\r\nHTTP/1.1 200 OK\r\n\r\n`,
      { kind: "reset", reason: "an informational response without an end" },
    ],
    [
      "12,000 informational responses",
      `${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(12_000)}HTTP/1.1 200 OK\r\n\r\n`,
      { kind: "reset", reason: "more than 10 informational responses" },
    ],
    [
      "a body in 60,000 chunks",
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(60_000)}0\r\n\r\n`,
      { kind: "answered", status: 200, body: expect.stringMatching(/^x{1000,1200}$/) },
    ],
    [
      "600 KB of trailers",
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${"a: b\r\n".repeat(100_000)}\r\n`,
      { kind: "answered", status: 200, body: "ok" },
    ],
  ])("with %s costs the process little, and its connection is given up", async (_what, answer, expected) => {
    await using transport = openTransport();
    await using receiver = await receiveTcp((socket) => void socket.once("data", () => socket.write(answer)));
    const before = process.cpuUsage();

    const tries = Array.from({ length: 20 }, () => transport.deliver(callbackTo(receiver.url), NEVER));
    const delivered = await Promise.all(tries);
    await Promise.all(receiver.closed);

    expect(delivered.map(({ outcome }) => outcome)).toEqual(tries.map(() => expected));
    expect(process.cpuUsage(before).user / 1e3).toBeLessThan(2_000);
  });
});

describe("an answer's head", () => {
  test.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n", ""],
    ["100 and others", `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${"HTTP/1.1 100 C\r\n\r\n".repeat(9)}`, ""],
    ["10 KB of headers", "", `a: ${"b".repeat(100)}\r\n`.repeat(100)],
    ["60 KB of headers", "", `a: ${"b".repeat(60_000)}\r\n`],
  ])("with %s is an answer, and its connection is kept", async (_what, interim, headers) => {
    await using transport = openTransport();
    const answer = `${interim}HTTP/1.1 200 OK\r\n${headers}content-length: 2\r\n\r\nok`;
    await using receiver = await receiveTcp((socket) => void socket.on("data", () => socket.write(answer)));

    const first = await transport.deliver(callbackTo(receiver.url), NEVER);
    const second = await transport.deliver(callbackTo(receiver.url), NEVER);

    const outcome = { kind: "answered", status: 200, body: "ok" };
    expect({ first: first.outcome, second: second.outcome }).toEqual({ first: outcome, second: outcome });
    expect(receiver.connections).toHaveLength(1);
  });

  test("over TLS is one after 100 Continue, too, on each connection that is used again", async () => {
    const certificate = signCertificate();
    await using transport = openTransport();
    await using receiver = await receiveHttps(certificate, (_, response) => {
      response.writeContinue();
      response.end("ok");
    });
    const request = { ...callbackTo(receiver.url), ca: certificate.cert };

    const first = await transport.deliver(request, NEVER);
    const second = await transport.deliver(request, NEVER);

    const outcome = { kind: "answered", status: 200, body: "ok" };
    expect({ first: first.outcome, second: second.outcome }).toEqual({ first: outcome, second: outcome });
    expect(receiver.connections).toHaveLength(1);
  });

  test("that switches protocols is not an answer, and is reported as what it is", async () => {
    await using transport = openTransport();
    const answer = "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n";
    await using receiver = await receiveTcp((socket) => void socket.once("data", () => socket.write(answer)));

    const { outcome } = await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "reset", reason: "it switched protocols, which nobody asked for" });
  });
});

describe("a callback", () => {
  test("carries the given headers and body and nothing of the transport's own", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end());

    await transport.deliver(callbackTo(`${receiver.url}?token=a%2Fb+c&x`), NEVER);

    const host = `127.0.0.1:${receiver.port}`;
    const rawHeaders = [
      "host",
      host,
      "connection",
      "keep-alive",
      "Content-Type",
      "application/json",
      "content-length",
      "14",
    ];
    expect(receiver.requests).toEqual([{ url: "/hooks?token=a%2Fb+c&x", rawHeaders, body: '{"charge":9.5}' }]);
  });

  test("carries the user name and password of its URL", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end());

    await transport.deliver(callbackTo(`http://me:s%40cret@127.0.0.1:${receiver.port}/`), NEVER);

    expect(receiver.requests[0]?.rawHeaders).toContain(`Basic ${Buffer.from("me:s@cret").toString("base64")}`);
  });

  test("finds a receiver by name at whichever of its addresses it listens", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end());

    const { outcome } = await transport.deliver(callbackTo(`http://localhost:${receiver.port}/`), NEVER);

    expect(outcome).toEqual({ kind: "answered", status: 200, body: "" });
  });

  test("reuses the connection of the one before", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end());

    await transport.deliver(callbackTo(receiver.url), NEVER);
    await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(receiver.requests).toHaveLength(2);
    expect(receiver.connections).toHaveLength(1);
  });

  test("does not reuse a connection that the receiver is about to close", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) =>
      response.writeHead(200, { "keep-alive": "timeout=1" }).end(),
    );

    await transport.deliver(callbackTo(receiver.url), NEVER);
    await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(receiver.connections).toHaveLength(2);
  });

  test("arrives once over a new connection after the receiver closed the idle one", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((_, response) => response.end());

    await transport.deliver(callbackTo(receiver.url), NEVER);
    receiver.connections[0]?.destroy();
    await Promise.all(receiver.closed);
    const { outcome } = await transport.deliver(callbackTo(receiver.url), NEVER);

    expect(outcome).toEqual({ kind: "answered", status: 200, body: "" });
    expect(receiver.requests).toHaveLength(2);
  });

  test("is not sent a second time after a reset, on a new connection or a used one", async () => {
    await using transport = openTransport();
    await using receiver = await receiveHttp((request, response) => {
      return receiver.requests.length === 1 ? response.end() : request.socket.resetAndDestroy();
    });

    await transport.deliver(callbackTo(receiver.url), NEVER);
    const used = await transport.deliver(callbackTo(receiver.url), NEVER);
    const fresh = await transport.deliver(callbackTo(receiver.url), NEVER);

    expect({ usedOutcome: used.outcome, freshOutcome: fresh.outcome }).toEqual({
      usedOutcome: { kind: "reset" },
      freshOutcome: { kind: "reset" },
    });
    expect(receiver.requests).toHaveLength(3);
    expect(receiver.connections).toHaveLength(2);
  });
});
