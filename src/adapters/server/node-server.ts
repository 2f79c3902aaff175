import { createServer, type RequestListener as NodeListener, type Server, type ServerResponse, type IncomingMessage } from "node:http";
import { type AddressInfo, Server as TcpServer } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { TurnEnd } from "../../ports/pause.ts";
import { randomUUID } from "node:crypto";

/** Pooled clients keep connections for a minute; a server that closed them sooner would look like a reset that nobody scripted. */
const KEEP_ALIVE_MILLIS = 65_000;
/** Node's own refusal of a request without Host has no body, so that is refused here. */
const SETTINGS = { keepAliveTimeout: KEEP_ALIVE_MILLIS, headersTimeout: KEEP_ALIVE_MILLIS + 1_000, requireHostHeader: false };

/** How long a stopping server waits for clients that keep connections busy: their next answer tells them to connect anew. */
const GRACE_MILLIS = 200;

/** How long a stopping server lets answers finish. */
const LAST_WORDS_MILLIS = 250;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Where a client on this machine finds it, without a slash at the end. */
  readonly url: string;
  /** Takes no new connections, and answers what still comes on open ones with `Connection: close`, for a moment. */
  drain(): Promise<void>;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

export type RequestListener = NodeListener;

export interface ListenAt {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Speaks TLS where it is given. */
  readonly tls?: TlsSettings;
  /** Takes the connection of a CONNECT request; without it, Node closes it. */
  readonly onConnect?: (request: IncomingMessage, socket: Duplex) => void;
}

export interface TlsSettings {
  /** PEM text. */
  readonly certificate: string;
  readonly key: string;
  /** Told of the code with which OpenSSL ended a connection: a client that trusts no such certificate, or speaks no TLS. */
  readonly onFailure: (code: string) => void;
}

/** Listens for HTTP/1.1, over TLS where asked for. Rejects when the port cannot be had, with Node's own error code. */
export async function listen(listener: RequestListener, { port, host, tls, onConnect }: ListenAt): Promise<Listening> {
  /** The latest answer of each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const unfinished = new Set<ServerResponse>();
  let isDraining = false;
  const answer: RequestListener = (request, response) => {
    answers.set(request.socket, response);
    unfinished.add(response);
    response.once("close", () => unfinished.delete(response));
    if (isDraining) response.shouldKeepAlive = false;
    if (lacksHost(request)) refuseWithoutHost(response);
    else listener(request, response);
  };
  const server = tls === undefined ? createServer(SETTINGS, answer) : await secureServer(tls, answer);
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    // Those of the handshake come here, too.
    if (error.code?.startsWith("ERR_SSL_")) tls?.onFailure(error.code);
    refuseMalformed(error, socket, answers.get(socket));
  });
  if (onConnect !== undefined) server.on("connect", onConnect);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server listens on a pipe");
  const url = `${tls === undefined ? "http" : "https"}://${authorityOf(address)}`;
  const drain = async (): Promise<void> => {
    isDraining = true;
    for (const response of unfinished) response.shouldKeepAlive = false;
    // Node's own HTTP server would destroy idle connections at once, and with them requests that are on their way.
    TcpServer.prototype.close.call(server);
    if ((await countConnections(server)) > 0) await pause(GRACE_MILLIS);
  };
  const closed = new Promise<void>((resolve) => void server.once("close", resolve));
  return { host: address.address, port: address.port, url, drain, close: () => close(server, closed) };
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

/** Loaded at first use. Only HTTP/1.1 is offered, as it is without TLS (RFC 7301). */
async function secureServer({ certificate, key }: TlsSettings, answer: RequestListener): Promise<Server> {
  const https = await import("node:https");
  return https.createServer({ ...SETTINGS, cert: certificate, key, ALPNProtocols: ["http/1.1"] }, answer);
}

function authorityOf({ address, port }: AddressInfo): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return `${UNSPECIFIED.get(address) ?? host}:${port}`;
}

/** Addresses that mean every interface are listened on, and called by the loopback one. */
const UNSPECIFIED = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "127.0.0.1"],
]);

async function close(server: Server, closed: Promise<void>): Promise<void> {
  server.close();
  server.closeIdleConnections();
  const over = new AbortController();
  pause(LAST_WORDS_MILLIS, undefined, over).then(
    () => server.closeAllConnections(),
    () => {},
  );
  await closed;
  over.abort();
}

/** One promise for everybody who asks in the same turn, so that they go on together. */
export function sharedTurnEnd(): TurnEnd {
  let end: Promise<void> | undefined;
  return () =>
    (end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    }));
}

/** How long a client that sent what is not HTTP may take to read that, before its connection is destroyed. */
const LINGER_MILLIS = 250;

/** By the codes of Node's parser and its checks of time; anything else is 400. */
const STATUSES: ReadonlyMap<string | undefined, readonly [status: number, reason: string]> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "Request Timeout"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "Content Too Large"]],
  ["HPE_HEADER_OVERFLOW", [431, "Request Header Fields Too Large"]],
]);

/** What is not HTTP never becomes a request, yet its sender is told in the gateway's own shape, after `before` if that is still to be sent. */
export function refuseMalformed(error: Error & { code?: string }, socket: Duplex, before: ServerResponse | undefined): void {
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
  else if (before !== undefined && isComing(before)) before.once("close", () => refuseMalformed(error, socket, undefined));
  else writeRefusal(STATUSES.get(error.code) ?? [400, "Bad Request"], socket);
}

/** Only HTTP/1.0 needs none (RFC 9112 section 3.2). */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

/** Its body, if any, is not read: the connection is of no more use. */
function refuseWithoutHost(response: ServerResponse): void {
  const body = refusal(400, "Bad Request");
  response.writeHead(400, { "content-type": "application/json", "content-length": body.length, connection: "close" }).end(body);
}

/** Whether an answer will be sent; one to a request that broke off in the middle never is. */
function isComing(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}

/** Destroying the connection at once would take the answer away from a client that is still sending. */
function writeRefusal([status, reason]: readonly [status: number, reason: string], socket: Duplex): void {
  const body = refusal(status, reason);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  const lingering = setTimeout(() => socket.destroy(), LINGER_MILLIS);
  socket.once("close", () => clearTimeout(lingering));
}

function refusal(status: number, reason: string): string {
  return JSON.stringify({ status_code: status, description: `${reason}.`, request_id: randomUUID() });
}
