import { createServer, type RequestListener, type Server, type ServerResponse, type IncomingMessage } from "node:http";
import { type AddressInfo, Server as TcpServer } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { guardListener, Refuser, type ServerHooks } from "./refuse-malformed.ts";

/** Pooled clients keep connections open for a minute. A server that closes them sooner would look like an unscripted reset. */
const KEEP_ALIVE_MILLIS = 65_000;
/** How long a client may take for a TLS handshake, or to send a request with its body. Node allows 2 minutes for the one, 5 for the other. */
const REQUEST_MILLIS = KEEP_ALIVE_MILLIS + 1_000;
const SETTINGS = {
  keepAliveTimeout: KEEP_ALIVE_MILLIS,
  headersTimeout: REQUEST_MILLIS,
  requestTimeout: REQUEST_MILLIS,
  // Node looks for late requests twice a minute, which would allow some of them half a minute more.
  connectionsCheckingInterval: 1_000,
  // Node's own refusal of a request without Host has no body, so we refuse it ourselves.
  requireHostHeader: false,
};

/** How long a stopping server waits for clients on busy connections. Their next response tells them to reconnect. */
const GRACE_MILLIS = 200;

/** How long a stopping server lets responses finish. */
const FINISH_MILLIS = 250;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** The URL for clients on this machine, without a trailing slash. */
  readonly url: string;
  /** Accepts no new connections. For a moment, still answers requests on open ones with `Connection: close`. */
  drain(): Promise<void>;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

export type { RequestListener };

export interface ListenAt {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  /** Enables TLS. */
  readonly tls?: TlsSettings;
}

export interface TlsSettings {
  /** PEM text. */
  readonly certificate: string;
  readonly key: string;
}

/** Thrown if the port to listen on is in use. */
export class PortInUseError extends Error {
  static override readonly name = "PortInUseError";
  override readonly name = PortInUseError.name;
}

/** Listens for HTTP/1.1, optionally over TLS. Rejects with a `PortInUseError`, or with Node's own error if it cannot listen there. */
export async function listen(
  listener: RequestListener,
  { port, host, tls }: ListenAt,
  hooks: ServerHooks,
): Promise<Listening> {
  const connections = new Map<Duplex, Connection>();
  let isDraining = false;
  const refusal = new Refuser(tls === undefined ? "http" : "https", hooks, (socket) => connections.get(socket)?.latest);
  const respond = guardListener(listener, ({ socket }) => socket, hooks);
  const answer: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { latest: undefined, waiting: 0 };
    const before = connection.latest;
    if (before === undefined) socket.once("close", () => connections.delete(socket));
    connections.set(socket, connection);
    connection.latest = response;
    if (isDraining) response.shouldKeepAlive = false;
    if (refusal.refusesHead(request, response)) return;
    if (before === undefined || before.closed) respond(request, response);
    else waitFor(before, connection, request, () => respond(request, response));
  };
  const server = tls === undefined ? createServer(SETTINGS) : await secureServer(tls);
  server.on(
    "request",
    guardListener(answer, ({ socket }) => socket, hooks),
  );
  refusal.follow(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((error: Error & { code?: string }) => {
    if (error.code !== "EADDRINUSE") throw error;
    const option = tls === undefined ? "port" : "https.port";
    throw new PortInUseError(`port ${port} on ${host} is in use; set ${option} to 0 to take a free one`);
  });
  server.on("error", hooks.report);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server listens on a pipe");
  const url = `${tls === undefined ? "http" : "https"}://${authorityOf(address)}`;
  const drain = async (): Promise<void> => {
    isDraining = true;
    for (const { latest } of connections.values()) if (latest !== undefined) latest.shouldKeepAlive = false;
    // Node's own HTTP server would destroy idle connections at once, including requests in flight.
    TcpServer.prototype.close.call(server);
    if ((await countConnections(server)) > 0) await pause(GRACE_MILLIS);
  };
  const closed = new Promise<void>((resolve) => void server.once("close", resolve));
  return { host: address.address, port: address.port, url, drain, close: () => close(server, closed) };
}

interface Connection {
  latest: ServerResponse | undefined;
  /** The number of requests waiting for the response before theirs. */
  waiting: number;
}

/**
 * The number of waiting requests above which a connection is closed. Node would stop reading from a client that reads no answers, but here
 * it sees only the one answer that the others wait for.
 */
const MAX_WAITING = 2_000;

/**
 * Answers pipelined requests one after another, with a turn of the event loop between, so that a client that sends a thousand at once
 * takes turns with the others. Those left when the connection ends are dropped unread.
 */
function waitFor(
  before: ServerResponse,
  connection: Connection,
  { socket }: IncomingMessage,
  answer: () => void,
): void {
  connection.waiting += 1;
  if (connection.waiting > MAX_WAITING) return void socket.destroy();
  before.once("close", () =>
    setImmediate(() => {
      connection.waiting -= 1;
      if (!socket.destroyed) answer();
    }),
  );
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

/** Loaded on first use. Offers only HTTP/1.1, as without TLS (RFC 7301). */
async function secureServer({ certificate, key }: TlsSettings): Promise<Server> {
  const https = await import("node:https");
  return https.createServer({
    ...SETTINGS,
    handshakeTimeout: REQUEST_MILLIS,
    cert: certificate,
    key,
    ALPNProtocols: ["http/1.1"],
  });
}

function authorityOf({ address, port }: AddressInfo): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return `${UNSPECIFIED.get(address) ?? host}:${port}`;
}

/** Addresses that mean every interface when listening; clients use the loopback address. */
const UNSPECIFIED = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "127.0.0.1"],
]);

async function close(server: Server, closed: Promise<void>): Promise<void> {
  server.close();
  server.closeIdleConnections();
  const over = new AbortController();
  pause(FINISH_MILLIS, undefined, over).then(
    () => server.closeAllConnections(),
    () => {},
  );
  await closed;
  over.abort();
}
