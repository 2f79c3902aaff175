import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, RequestListener, Server as HttpServer } from "node:http";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import type { Server, Socket } from "node:net";
import { createServer as createTcp } from "node:net";
import forge from "node-forge";
import { listenLocally } from "./local-server.ts";

/** A receiver on a free port of 127.0.0.1, and what reached it. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly connections: Socket[];
  /** One for each connection, kept when it is closed. */
  readonly closed: Promise<void>[];
  readonly requests: { readonly url: string; readonly rawHeaders: readonly string[]; readonly body: string }[];
}

export async function receiveHttp(answer: RequestListener): Promise<Receiver> {
  return openHttp(createHttp(), "http", answer);
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export async function receiveHttps(certificate: Certificate, answer: RequestListener): Promise<Receiver> {
  return openHttp(createHttps(certificate), "https", answer);
}

export async function receiveTcp(answer: (socket: Socket) => void): Promise<Receiver> {
  return open(createTcp(answer), "http");
}

const DAY = 24 * 60 * 60 * 1_000;

/** A certificate for 127.0.0.1 that vouches for itself. */
export function signCertificate(): Certificate {
  const { publicKey, privateKey: key } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.validity.notAfter = new Date(certificate.validity.notBefore.getTime() + DAY);
  certificate.setSubject([{ name: "commonName", value: "127.0.0.1" }]);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate) };
}

async function openHttp(server: HttpServer, scheme: string, answer: RequestListener): Promise<Receiver> {
  const receiver = await open(server, scheme);
  server.on("request", (request: IncomingMessage, response) => {
    const { url = "", rawHeaders } = request;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      receiver.requests.push({ url, rawHeaders, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  return receiver;
}

async function open(server: Server, scheme: string): Promise<Receiver> {
  const connections: Socket[] = [];
  const closed: Promise<void>[] = [];
  server.on("connection", (socket: Socket) => {
    connections.push(socket);
    closed.push(new Promise((resolve) => socket.on("error", () => {}).once("close", () => resolve())));
  });
  const { port, close } = await listenLocally(server);
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hooks`,
    connections,
    closed,
    requests: [],
    [Symbol.asyncDispose]: close,
  };
}
