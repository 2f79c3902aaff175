import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { BROKEN_CREDENTIALS, hasBrokenCredentials } from "./broken-credentials.ts";
import { type ClientError, type Unreadable, unreadableKind, type UnreadableKind } from "./unreadable.ts";

/** Returns a refusal as the gateway itself writes it, with the hint if hints are on. */
export type EncodeRefusal = (code: number, description: string, hint?: string) => EncodedRefusal;

interface EncodedRefusal {
  readonly status: number;
  readonly body: string;
  readonly hint?: string | undefined;
}

/** How a server answers and reports what never becomes a request. */
export interface ServerHooks {
  readonly encode: EncodeRefusal;
  /** Called with what a client sent that never becomes a request. */
  readonly onUnreadable: (unreadable: Unreadable) => void;
  /** Called with unexpected errors. Each ends the connection that caused it, and nothing else. */
  readonly report: (fault: unknown) => void;
}

/** Wraps a listener for a server's events: an error that it throws ends the connection instead of the process. */
export function guardListener<Event extends unknown[]>(
  listener: (...event: Event) => void,
  socketOf: (...event: Event) => Duplex,
  { report }: ServerHooks,
): (...event: Event) => void {
  return (...event) => {
    try {
      listener(...event);
    } catch (fault) {
      report(fault);
      socketOf(...event).destroy();
    }
  };
}

type Status = readonly [status: number, reason: string];

const BAD_REQUEST: Status = [400, "Bad Request"];
const EXPECTATION_FAILED: Status = [417, "Expectation Failed"];
const NOT_IMPLEMENTED: Status = [501, "Not Implemented"];

/** Refuses what one port cannot pass on as a request, and reports it. */
export class Refuser {
  readonly #scheme: Unreadable["scheme"];
  readonly #hooks: ServerHooks;
  readonly #latestOf: (socket: Duplex) => ServerResponse | undefined;

  /** `latestOf` returns the latest response on a connection. */
  constructor(
    scheme: Unreadable["scheme"],
    hooks: ServerHooks,
    latestOf: (socket: Duplex) => ServerResponse | undefined,
  ) {
    this.#scheme = scheme;
    this.#hooks = hooks;
    this.#latestOf = latestOf;
  }

  /** Refuses what Node does not pass on as a request. */
  follow(server: Server): void {
    const refuseExpectation = (_request: IncomingMessage, response: ServerResponse): void =>
      this.#refuseUnread(response, EXPECTATION_FAILED, "expectation");
    const refuseTunnel = (_request: IncomingMessage, socket: Duplex): void => {
      // Node leaves such a socket to whoever listens to this event. Without a listener, an error of it would end the process.
      socket.on("error", () => socket.destroy());
      this.#report("connect");
      refuseAfter(this.#latestOf(socket), socket, NOT_IMPLEMENTED, this.#hooks.encode);
    };
    const refuseError = (error: ClientError, socket: Duplex): void => {
      const latest = this.#latestOf(socket);
      const kind = socket.writableEnded ? undefined : unreadableKind(error, socket, latest);
      if (kind !== undefined) this.#report(kind, error.code);
      refuseMalformed(error, socket, latest, this.#hooks.encode);
    };
    server.on(
      "checkExpectation",
      guardListener(refuseExpectation, ({ socket }) => socket, this.#hooks),
    );
    server.on(
      "connect",
      guardListener(refuseTunnel, (_request, socket) => socket, this.#hooks),
    );
    server.on(
      "clientError",
      guardListener(refuseError, (_error, socket) => socket, this.#hooks),
    );
  }

  /** Refuses a request whose head is an error. Returns whether it did. */
  refusesHead(request: IncomingMessage, response: ServerResponse): boolean {
    const kind = lacksHost(request) ? "no-host" : hasCredentials(request) ? "user-in-target" : undefined;
    if (kind !== undefined) this.#refuseUnread(response, BAD_REQUEST, kind);
    return kind !== undefined;
  }

  #report(kind: UnreadableKind, code?: string): void {
    this.#hooks.onUnreadable({ kind, scheme: this.#scheme, code });
  }

  /** The body, if any, is not read, because the connection is closed anyway. */
  #refuseUnread(response: ServerResponse, [code, reason]: Status, kind: UnreadableKind): void {
    this.#report(kind);
    const { status, body } = this.#hooks.encode(code, `${reason}.`);
    response
      .writeHead(status, { "content-type": "application/json", "content-length": body.length, connection: "close" })
      .end(body);
  }
}

/** Only HTTP/1.0 requests may omit Host (RFC 9112 section 3.2). */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.1" && headers.host === undefined;
}

/** A target such as `http://user:password@host/` is an error (RFC 9110 section 4.2.4), and no web `Request` can have it. */
function hasCredentials({ url = "" }: IncomingMessage): boolean {
  return /^https?:\/\/+[^/?#]*@/.test(url);
}

/** Responses by the error codes of Node's parser and its timeouts; any other code gets 400. */
const STATUSES: ReadonlyMap<string | undefined, Status> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "Request Timeout"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "Content Too Large"]],
  ["HPE_HEADER_OVERFLOW", [431, "Request Header Fields Too Large"]],
]);

/** Answers something that is not HTTP in the gateway's own format, after `before` if that response is still being sent. */
export function refuseMalformed(
  error: ClientError,
  socket: Duplex,
  before: ServerResponse | undefined,
  encode: EncodeRefusal,
): void {
  if (socket.writableEnded) return;
  if (error.code === "ECONNRESET") return void socket.destroy();
  const hint = hasBrokenCredentials(error.rawPacket)
    ? `${BROKEN_CREDENTIALS.problem}; ${BROKEN_CREDENTIALS.repair}`
    : undefined;
  refuseAfter(before, socket, STATUSES.get(error.code) ?? BAD_REQUEST, (code, reason) => encode(code, reason, hint));
}

function refuseAfter(
  before: ServerResponse | undefined,
  socket: Duplex,
  [code, reason]: Status,
  encode: EncodeRefusal,
): void {
  if (!socket.writable) return void socket.destroy();
  const { status, body, hint } = encode(code, `${reason}.`);
  const refuse = (): void => writeRefusal(socket, `${status} ${status === code ? reason : "OK"}`, body, hint);
  if (before !== undefined && isComing(before)) before.once("close", refuse);
  else refuse();
}

/** Returns whether a response will be sent. A response to an incomplete request never is. */
function isComing(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}

/** How long a client that sent something other than HTTP may take to read the response before its connection is destroyed. */
const LINGER_MILLIS = 250;

/** Destroying the connection at once would discard the response for a client that is still sending. */
function writeRefusal(socket: Duplex, status: string, body: string, hint: string | undefined): void {
  if (!socket.writable) return;
  const hinted = hint === undefined ? "" : `X-Kredo-Hint: ${hint}\r\n`;
  const headers = `Content-Type: application/json\r\n${hinted}Content-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
  const lingering = setTimeout(() => socket.destroy(), LINGER_MILLIS);
  socket.once("close", () => clearTimeout(lingering));
}
