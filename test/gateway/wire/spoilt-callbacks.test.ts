import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { BrokenOff, spoilBody } from "../../../src/gateway/adapters/delivery/spoil-body.ts";
import { createUndiciTransport } from "../../../src/gateway/adapters/delivery/undici-transport.ts";
import type { CallbackRequest, CallbackTransport } from "../../../src/gateway/ports/callback-transport.ts";
import { receiveHttp, receiveHttps, receiveTcp, signCertificate } from "../../support/gateway/http-receivers.ts";

const NEVER = new AbortController().signal;
/** Longer than a busy machine keeps anybody waiting. */
const TIMEOUT = 60_000;
const BODY = JSON.stringify({ request_id: "one", result_desc: "Imefika, café" });

function callback(url: string, manner: "drip" | "disconnect"): CallbackRequest {
  return {
    url,
    trusted: true,
    headers: { "content-type": "application/json" },
    body: BODY,
    timeout: TIMEOUT,
    insecure: true,
    manner,
  };
}

function open(wait: (duration: number) => Promise<void> = () => setImmediate()): CallbackTransport & AsyncDisposable {
  const transport = createUndiciTransport({ callbackAllow: [], now: () => performance.now(), wait });
  return { ...transport, [Symbol.asyncDispose]: () => transport.close() };
}

test("a dripping callback leaves the receiver half of its time for the answer", async () => {
  const waits: number[] = [];
  await using transport = open((duration) => {
    waits.push(duration);
    return setImmediate();
  });
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));

  await transport.deliver(callback(receiver.url, "drip"), NEVER);

  expect(waits).toHaveLength(Buffer.byteLength(BODY) - 1);
  expect(Math.max(...waits)).toBeLessThanOrEqual(TIMEOUT / 2);
});

test.each([
  ["HTTP", async () => receiveHttp((_request, response) => void response.end("ok"))],
  ["HTTPS", async () => receiveHttps(signCertificate(), (_request, response) => void response.end("ok"))],
])("a dripping callback arrives whole over %s, under the length of all of it", async (_name, receive) => {
  await using transport = open();
  await using receiver = await receive();

  const { outcome } = await transport.deliver(callback(receiver.url, "drip"), NEVER);

  expect(outcome).toEqual({ kind: "answered", status: 200, body: "ok" });
  expect(receiver.requests.map(({ body }) => body)).toEqual([BODY]);
  expect(receiver.requests[0]?.rawHeaders.join("|")).toMatch(
    new RegExp(`content-length\\|${Buffer.byteLength(BODY)}`, "i"),
  );
});

test("a dripping callback that is late waits no more, and never for a negative time", async () => {
  const waits: number[] = [];
  const wait = async (duration: number): Promise<void> => void waits.push(duration);

  const { body } = spoilBody({ body: BODY, manner: "drip", timeout: 0 }, wait);
  await Readable.from(body).toArray();

  expect(waits).toEqual(Array.from({ length: Buffer.byteLength(BODY) - 1 }, () => 0));
});

test("a dripping callback spreads its bytes evenly over half of the time", async () => {
  const timeout = 1e9;
  const waits: number[] = [];
  const wait = async (duration: number): Promise<void> => void waits.push(duration);

  const { body } = spoilBody({ body: BODY, manner: "drip", timeout }, wait);
  const sent = await Readable.from(body).toArray();

  const step = timeout / 2 / Buffer.byteLength(BODY);
  expect(sent).toHaveLength(Buffer.byteLength(BODY));
  expect(waits.map((duration) => Math.round(duration / step))).toEqual(waits.map((_, index) => index + 1));
});

test("a dripping callback comes byte by byte", async () => {
  const pieces: number[] = [];
  await using transport = open();
  await using receiver = await receiveTcp((socket) => {
    socket.on("data", ({ length }: Buffer) => {
      pieces.push(length);
      if (pieces.length === 20) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
  });

  await transport.deliver(callback(receiver.url, "drip"), NEVER);

  expect(pieces.slice(1).filter((length) => length < 5).length).toBeGreaterThan(10);
});

test("a disconnecting callback announces all of its body, sends half of it and is gone", async () => {
  const received: Buffer[] = [];
  await using transport = open();
  await using receiver = await receiveTcp((socket) => void socket.on("data", (chunk: Buffer) => received.push(chunk)));

  const { outcome } = await transport.deliver(callback(receiver.url, "disconnect"), NEVER);
  await receiver.closed[0];

  const [head = "", body = ""] = Buffer.concat(received).toString().split("\r\n\r\n");
  expect(outcome).toEqual({ kind: "broken_off" });
  expect(head).toMatch(new RegExp(`content-length: ${Buffer.byteLength(BODY)}`, "i"));
  expect(body).toBe(BODY.slice(0, body.length));
  expect(body.length).toBeGreaterThan(10);
  expect(body.length).toBeLessThan(BODY.length);
});

test("a disconnecting callback breaks off after half of its bytes", async () => {
  const sent: Buffer[] = [];
  const { body } = spoilBody({ body: "0123456789", manner: "disconnect", timeout: TIMEOUT });

  const reading = Readable.from(body)
    .on("data", (chunk: Buffer) => sent.push(chunk))
    .toArray();

  await expect(reading).rejects.toBeInstanceOf(BrokenOff);
  expect(Buffer.concat(sent).toString()).toBe("01234");
});

test.each(["drip", "disconnect"] as const)(
  "a callback that would %s goes to no address that others may not go to",
  async (manner) => {
    await using transport = open();

    const { outcome } = await transport.deliver(callback("http://169.254.169.254/latest", manner), NEVER);

    expect(outcome).toMatchObject({ kind: "blocked" });
  },
);

test("a dripping callback that is abandoned stops", async () => {
  const leaving = new AbortController();
  await using transport = open();
  await using receiver = await receiveTcp((socket) => void socket.once("data", () => leaving.abort()));

  const { outcome } = await transport.deliver(callback(receiver.url, "drip"), leaving.signal);
  await receiver.closed[0];

  expect(outcome).toEqual({ kind: "abandoned" });
});
