import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { lacksHost, refuseMalformed, refuseWithoutHost } from "./refuse-malformed.ts";

/** Pooled clients keep connections for a minute; a server that closed them sooner would look like a reset that nobody scripted. */
const KEEP_ALIVE_MILLIS = 65_000;
/** Node's own refusal of a request without Host has no body, so that is refused here. */
const SETTINGS = { keepAliveTimeout: KEEP_ALIVE_MILLIS, headersTimeout: KEEP_ALIVE_MILLIS + 1_000, requireHostHeader: false };

/** How long a stopping server lets answers finish. */
const LAST_WORDS_MILLIS = 250;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Where a client on this machine finds it, without a slash at the end. */
  readonly url: string;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

export type RequestListener = NonNullable<Parameters<typeof createServer>[1]>;

/** Listens for HTTP/1.1. Rejects when the port cannot be had, with Node's own error code. */
export async function listen(listener: RequestListener, { port, host }: { port: number; host: string }): Promise<Listening> {
  /** The latest answer of each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(SETTINGS, (request, response) => {
    answers.set(request.socket, response);
    if (lacksHost(request)) refuseWithoutHost(response);
    else listener(request, response);
  });
  server.on("clientError", (error, socket) => refuseMalformed(error, socket, answers.get(socket)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server listens on a pipe");
  return { host: address.address, port: address.port, url: urlOf(address), close: () => close(server) };
}

function urlOf({ address, port }: AddressInfo): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return `http://${UNSPECIFIED.get(address) ?? host}:${port}`;
}

/** Addresses that mean every interface are listened on, and called by the loopback one. */
const UNSPECIFIED = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "127.0.0.1"],
]);

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MILLIS);
  await closed;
  clearTimeout(timer);
}
