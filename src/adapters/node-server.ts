import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** Pooled clients keep connections for a minute; a server that closed them sooner would look like a reset that nobody scripted. */
const KEEP_ALIVE_MILLIS = 65_000;

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
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MILLIS, headersTimeout: KEEP_ALIVE_MILLIS + 1_000 }, listener);
  server.on("clientError", refuseMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server listens on a pipe");
  return { host: address.address, port: address.port, url: urlOf(address), close: () => close(server) };
}

/** What is not HTTP never becomes a request, yet its sender is told in the gateway's own shape. */
function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, reason] = error.code === "HPE_HEADER_OVERFLOW" ? [431, "Request Header Fields Too Large"] : [400, "Bad Request"];
  const body = JSON.stringify({ status_code: status, description: `${reason}.`, request_id: randomUUID() });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
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
