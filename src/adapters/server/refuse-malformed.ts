import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

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
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

/** Its body, if any, is not read: the connection is of no more use. */
export function refuseWithoutHost(response: ServerResponse): void {
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
