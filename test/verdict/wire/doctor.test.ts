import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { createUndiciTransport } from "../../../src/gateway/adapters/delivery/undici-transport.ts";
import { callbackSettings } from "../../../src/gateway/settings/callbacks.ts";
import type { CallbackSettings } from "../../../src/gateway/settings/callbacks.ts";
import { diagnose, type DiagnosisJson } from "../../../src/verdict/doctor/diagnose.ts";
import { receiveHttp, receiveHttps, receiveTcp, signCertificate } from "../../support/gateway/http-receivers.ts";

interface Circumstances {
  readonly callbacks?: Partial<CallbackSettings>;
  readonly trusted?: boolean;
  readonly now?: () => number;
}

/** Sends a sample and judges; an answer is waited for no longer than the limit. */
async function consult(url: string, circumstances: Circumstances = {}): Promise<DiagnosisJson> {
  const { callbacks, trusted = true, now = () => performance.now() } = circumstances;
  const transport = createUndiciTransport({ callbackAllow: [], now });
  const delivery = {
    operation: "airtime" as const,
    target: { url, trusted },
    body: '{"request_id":"unknown"}',
    callbacks: { ...callbackSettings({}, true), ...callbacks },
  };
  try {
    return await diagnose(delivery, { transport, signal: new AbortController().signal, patience: 0 });
  } finally {
    await transport.close();
  }
}

/** The checks that found something, each with what it says. */
function complaints({ checks }: DiagnosisJson): string[] {
  return checks.flatMap((check) =>
    "repair" in check ? `${check.check} ${check.verdict}: ${check.seen}; ${check.repair}` : [],
  );
}

async function closedPort(): Promise<number> {
  const receiver = await receiveTcp(() => {});
  await receiver[Symbol.asyncDispose]();
  return receiver.port;
}

test("sends one sample as a callback is sent, and finds a receiver that acknowledges well", async () => {
  await using receiver = await receiveHttp((_, response) => response.end("ok"));

  const diagnosis = await consult(receiver.url, { callbacks: { headers: { "x-token": "1" } } });

  expect(complaints(diagnosis)).toEqual([]);
  expect(diagnosis).toMatchObject({ conclusion: "ok" });
  expect(receiver.requests).toHaveLength(1);
  expect(receiver.requests[0]).toMatchObject({
    url: "/hooks",
    body: '{"request_id":"unknown"}',
    rawHeaders: expect.arrayContaining(["content-type", "application/json", "x-token"]),
  });
});

test("finds that nothing listens", async () => {
  const port = await closedPort();

  const diagnosis = await consult(`http://127.0.0.1:${port}/hooks`);

  expect(complaints(diagnosis)).toEqual([
    `connection failed: Nothing listens at http://127.0.0.1:${port}/hooks (connection refused); start the receiver, or, in a container, use host.docker.internal instead of 127.0.0.1`,
  ]);
  expect(diagnosis.conclusion).toBe("unreachable");
});

test("finds that a name has no address", async () => {
  // RFC 1035 allows 63 characters between dots, so no resolver is asked.
  const diagnosis = await consult(`http://${"a".repeat(64)}.invalid/hooks`);

  expect(complaints(diagnosis)).toEqual([
    expect.stringMatching(
      /^name failed: The name in http:\/\/a+\.invalid\/hooks cannot be resolved from here; check its spelling/,
    ),
  ]);
  expect(diagnosis.conclusion).toBe("unreachable");
});

test("reaches a receiver on IPv4 alone by the name localhost", async () => {
  await using receiver = await receiveHttp((_, response) => response.end());

  const diagnosis = await consult(`http://localhost:${receiver.port}/hooks`);

  expect(diagnosis).toMatchObject({ conclusion: "ok" });
});

test("finds that a connection is taken and nothing is answered", async () => {
  await using receiver = await receiveTcp(() => {});

  const diagnosis = await consult(receiver.url, { callbacks: { timeout: 50 } });

  expect(complaints(diagnosis)).toEqual([
    expect.stringMatching(/^answer failed: http.+ did not answer within 50ms; answer 200 first/),
  ]);
  expect(diagnosis).toMatchObject({ conclusion: "failed" });
});

test("finds an answer that is late", async () => {
  const readings = [0, 4_200];
  await using receiver = await receiveHttp((_, response) => response.end("ok"));

  const diagnosis = await consult(receiver.url, { now: () => readings.shift() ?? 4_200 });

  expect(complaints(diagnosis)).toEqual([
    expect.stringMatching(/^answer failed: .+ answered 200, "ok" after 4200ms of 3s; store the callback/),
  ]);
  expect(diagnosis).toMatchObject({ conclusion: "failed" });
});

test("finds a self-signed certificate, and sends nothing", async () => {
  await using receiver = await receiveHttps(signCertificate(), (_, response) => response.end());

  const diagnosis = await consult(receiver.url);

  expect(complaints(diagnosis)).toEqual([
    expect.stringMatching(/^tls failed: No TLS connection to .+self-signed.+give the certificate's authority/i),
  ]);
  expect(receiver.requests).toEqual([]);
});

test("believes a certificate whose authority the settings name", async () => {
  const certificate = signCertificate();
  await using receiver = await receiveHttps(certificate, (_, response) => response.end());

  const diagnosis = await consult(receiver.url, { callbacks: { ca: certificate.cert } });

  expect(complaints(diagnosis)).toEqual([]);
  expect(diagnosis.conclusion).toBe("ok");
});

test("finds a certificate for another name", async () => {
  const certificate = signCertificate();
  await using receiver = await receiveHttps(certificate, (_, response) => response.end());

  const diagnosis = await consult(`https://localhost:${receiver.port}/`, { callbacks: { ca: certificate.cert } });

  expect(complaints(diagnosis)).toEqual([
    expect.stringMatching(/^tls failed: .+register a host name that the certificate carries/),
  ]);
});

test("takes any certificate where the settings say so, with a doubt", async () => {
  await using receiver = await receiveHttps(signCertificate(), (_, response) => response.end());

  const diagnosis = await consult(receiver.url, { callbacks: { insecure: true } });

  expect(diagnosis).toMatchObject({ conclusion: "ok" });
});

test("finds a port that speaks plain HTTP behind a URL with https", async () => {
  await using receiver = await receiveHttp((_, response) => response.end());

  const diagnosis = await consult(`https://127.0.0.1:${receiver.port}/`);

  expect(complaints(diagnosis)).toEqual([
    expect.stringMatching(/^tls failed: No TLS connection [^]+; the port does not speak TLS; register it with http/),
  ]);
  expect(receiver.requests).toEqual([]);
});

test.each([
  [419, "Page Expired", "exempt this route from CSRF protection"],
  [500, "boom", 'answered 500, "boom"; the receiver failed'],
])("finds what is meant by %i", async (status, body, words) => {
  await using receiver = await receiveHttp((_, response) => response.writeHead(status).end(body));

  const diagnosis = await consult(receiver.url);

  expect(complaints(diagnosis)).toEqual([expect.stringContaining(words)]);
});

test("finds a redirect to the same path with a slash, and does not follow it", async () => {
  await using receiver = await receiveHttp((_, response) => response.writeHead(301, { location: "/hooks/" }).end());

  const diagnosis = await consult(`${receiver.url}?token=s3cret`);

  expect(complaints(diagnosis)).toEqual([
    `answer failed: ${receiver.url} answered 301 to ${receiver.url}/; redirects are not followed, an empty body; register the final URL`,
  ]);
  expect(receiver.requests).toHaveLength(1);
});

test("finds a connection that is closed without an answer", async () => {
  await using receiver = await receiveTcp((socket) => socket.once("data", () => socket.end()));

  const diagnosis = await consult(receiver.url, { callbacks: { timeout: 60_000 } });

  expect(complaints(diagnosis)).toEqual([
    expect.stringContaining("closed the connection without an answer; look for a crash"),
  ]);
});

test("connects to no public address for a URL that is not the owner's", async () => {
  const diagnosis = await consult("http://203.0.113.9/hooks", { trusted: false });

  expect(complaints(diagnosis)).toEqual([expect.stringMatching(/^connection failed: Not sent to .+callback_allow/)]);
});

test("never calls a metadata service", async () => {
  const diagnosis = await consult("http://169.254.169.254/latest");

  expect(complaints(diagnosis)).toEqual([expect.stringContaining("which are never called")]);
});

test("leaves no connection behind", async () => {
  const server = createServer((socket) => socket.resume());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  await consult(`http://127.0.0.1:${port}/`, { callbacks: { timeout: 20 } });
  server.close();
  const [failure] = await once(server, "close");

  expect(failure).toBeUndefined();
});
