import { once } from "node:events";
import type { RequestListener } from "node:http";
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

/** A receiver, or an address alone. */
interface Consulted extends Partial<AsyncDisposable> {
  readonly url: string;
}

const acknowledge: RequestListener = (_, response) => void response.end("ok");
const CERTIFICATE = signCertificate();
const TRUSTING: Circumstances = { callbacks: { ca: CERTIFICATE.cert } };

const at = (url: string) => async (): Promise<Consulted> => ({ url });

async function byName(): Promise<Consulted> {
  const receiver = await receiveHttp(acknowledge);
  return { ...receiver, url: `http://localhost:${receiver.port}/hooks` };
}

async function certifiedByName(): Promise<Consulted> {
  const receiver = await receiveHttps(CERTIFICATE, acknowledge);
  return { ...receiver, url: `https://localhost:${receiver.port}/` };
}

async function plainBehindHttps(): Promise<Consulted> {
  const receiver = await receiveHttp(acknowledge);
  return { ...receiver, url: `https://127.0.0.1:${receiver.port}/` };
}

function endsConnection(): Promise<Consulted> {
  return receiveTcp((socket) => socket.once("data", () => socket.end()));
}

/** A clock that is read twice. */
function laterBy(millis: number): () => number {
  const readings = [0];
  return () => readings.shift() ?? millis;
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

test.each<[string, () => Promise<Consulted>, Circumstances, RegExp]>([
  [
    "that nothing listens",
    async () => ({ url: `http://127.0.0.1:${await closedPort()}/` }),
    {},
    /^connection failed: Nothing/,
  ],
  // RFC 1035 allows 63 characters between dots, so no resolver is asked.
  [
    "that a name has no address",
    async () => ({ url: `http://${"a".repeat(64)}.invalid/` }),
    {},
    /^name failed: The name/,
  ],
  ["a receiver on IPv4 by the name localhost", byName, {}, /^$/],
  [
    "that nothing is answered",
    () => receiveTcp(() => {}),
    { callbacks: { timeout: 50 } },
    /did not answer within 50 ms/,
  ],
  ["a late answer", () => receiveHttp(acknowledge), { now: laterBy(4_200) }, /^answer failed: .+ after 4200ms of 3s/],
  ["a connection that ends", endsConnection, {}, /closed the connection without an answer; look for a crash/],
  ["a self-signed certificate", () => receiveHttps(CERTIFICATE, acknowledge), {}, /^tls failed: .+self-signed/i],
  ["a certificate by its authority", () => receiveHttps(CERTIFICATE, acknowledge), TRUSTING, /^$/],
  [
    "a certificate for another name",
    certifiedByName,
    TRUSTING,
    /^tls failed: .+a host name that the certificate carries/,
  ],
  ["any certificate", () => receiveHttps(CERTIFICATE, acknowledge), { callbacks: { insecure: true } }, /^$/],
  ["plain HTTP behind https", plainBehindHttps, {}, /^tls failed: [^]+; the port does not speak TLS; register it/],
  [
    "a public address that is not the owner's",
    at("http://203.0.113.9/"),
    { trusted: false },
    /Not sent to .+callback_allow/,
  ],
  ["a metadata service", at("http://169.254.169.254/latest"), {}, /which are never called/],
])("finds %s", async (_what, open, circumstances, complaint) => {
  const receiver = await open();

  const diagnosis = await consult(receiver.url, circumstances);

  await receiver[Symbol.asyncDispose]?.();
  expect(complaints(diagnosis).join("\n")).toMatch(complaint);
  expect(diagnosis.conclusion === "ok").toBe(complaint.source === "^$");
});

test("does not follow a redirect, and tells where it leads without what is secret", async () => {
  await using receiver = await receiveHttp((_, response) => response.writeHead(301, { location: "/hooks/" }).end());

  const diagnosis = await consult(`${receiver.url}?token=s3cret`);

  expect(complaints(diagnosis)).toEqual([
    `answer failed: ${receiver.url} answered 301, a redirect to ${receiver.url}/ with an empty body; callbacks do not follow redirects, so register the URL that it leads to`,
  ]);
  expect(receiver.requests).toHaveLength(1);
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
