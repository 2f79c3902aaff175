import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Returns the body of a refusal in the gateway's own format. */
export type EncodeRefusal = (code: number, description: string) => string;

/** How long a client that sent something other than HTTP may take to read the response before its connection is destroyed. */
const LINGER_MILLIS = 250;

/** Responses by the error codes of Node's parser and its timeouts; any other code gets 400. */
const STATUSES: ReadonlyMap<string | undefined, readonly [status: number, reason: string]> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "Request Timeout"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "Content Too Large"]],
  ["HPE_HEADER_OVERFLOW", [431, "Request Header Fields Too Large"]],
]);

/** Answers something that is not HTTP in the gateway's own format, after `before` if that response is still being sent. */
export function refuseMalformed(
  error: Error & { code?: string },
  socket: Duplex,
  before: ServerResponse | undefined,
  encode: EncodeRefusal,
): void {
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const [status, reason] = STATUSES.get(error.code) ?? [400, "Bad Request"];
  const body = encode(status, `${reason}.`);
  const refuse = (): void => writeRefusal(socket, `${status} ${reason}`, body);
  if (before !== undefined && isComing(before)) before.once("close", refuse);
  else refuse();
}

/** Returns whether a response will be sent. A response to an incomplete request never is. */
function isComing(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}

/** Destroying the connection at once would discard the response for a client that is still sending. */
function writeRefusal(socket: Duplex, status: string, body: string): void {
  if (!socket.writable) return;
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
  const lingering = setTimeout(() => socket.destroy(), LINGER_MILLIS);
  socket.once("close", () => clearTimeout(lingering));
}

/** The body, if any, is not read, because the connection is closed anyway. */
export function refuseUnread(response: ServerResponse, status: number, reason: string, encode: EncodeRefusal): void {
  const body = encode(status, `${reason}.`);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": body.length, connection: "close" })
    .end(body);
}
