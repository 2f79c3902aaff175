import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { hasBrokenCredentials } from "./broken-credentials.ts";

/** What a client sent that never becomes a request. */
export interface Unreadable {
  readonly kind: UnreadableKind;
  /** What the port that it came to speaks. */
  readonly scheme: "http" | "https";
  /** The code of Node's parser, or OpenSSL's. */
  readonly code?: string;
}

export type UnreadableKind =
  | "handshake"
  | "tls"
  | "http2"
  | "proxy"
  | "connect"
  | "method"
  | "request-line"
  | "target"
  | "user-in-target"
  | "broken-credentials"
  | "line-ends"
  | "folded-header"
  | "header"
  | "large-headers"
  | "short-headers"
  | "no-host"
  | "expectation"
  | "framing"
  | "chunk"
  | "short-body"
  | "long-body"
  | "other";

/** An error of Node's parser, of its timeouts or of a socket. */
export interface ClientError extends Error {
  readonly code?: string;
  /** What was being read, and how much of it was understood. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Says what a client sent, after the request whose response is `latest`; undefined if it sent nothing and just left. */
export function unreadableKind(
  error: ClientError,
  socket: Duplex,
  latest: ServerResponse | undefined,
): UnreadableKind | undefined {
  const { code = "" } = error;
  if (/^ERR_(SSL|TLS)_/.test(code)) return "handshake";
  if (ENDS.has(code)) return kindOfEnd(code, socket, latest);
  if (hasBrokenCredentials(error.rawPacket)) return "broken-credentials";
  return kindOfStart(error) ?? (isAfterBody(code, latest) ? "long-body" : kindOfCode(error));
}

/** The errors of a connection that ends, or waits, in the middle of a message. */
const ENDS: ReadonlySet<string> = new Set(["ECONNRESET", "HPE_INVALID_EOF_STATE", "ERR_HTTP_REQUEST_TIMEOUT"]);

function kindOfEnd(code: string, socket: Duplex, latest: ServerResponse | undefined): UnreadableKind | undefined {
  if (latest !== undefined && !latest.req.complete) return latest.writableEnded ? undefined : "short-body";
  // Clients close connections that they do not need, and browsers open some that they may need.
  const isUnused = !("bytesRead" in socket) || socket.bytesRead === 0;
  return code === "ECONNRESET" || isUnused ? undefined : "short-headers";
}

/** Recognises other protocols by their first bytes. */
function kindOfStart({ rawPacket }: ClientError): UnreadableKind | undefined {
  const start = rawPacket?.toString("latin1", 0, LONGEST_START) ?? "";
  return STARTS.find(([text]) => start.startsWith(text))?.[1];
}

const STARTS: readonly (readonly [start: string, kind: UnreadableKind])[] = [
  // The type and the version of a record (RFC 8446 section 5.1).
  ["\x16\x03", "tls"],
  // RFC 9113 section 3.4.
  ["PRI * HTTP/2.0", "http2"],
  // haproxy.org/download/2.9/doc/proxy-protocol.txt, sections 2.1 and 2.2.
  ["PROXY ", "proxy"],
  ["\r\n\r\n\0\r\nQUIT\n", "proxy"],
];
const LONGEST_START = 16;

/** Returns whether what cannot be read follows a body with a length, which is then probably too small. */
function isAfterBody(code: string, latest: ServerResponse | undefined): boolean {
  return code === "HPE_INVALID_METHOD" && latest?.req.headers["content-length"] !== undefined;
}

function kindOfCode({ code = "", message, rawPacket, bytesParsed = 0 }: ClientError): UnreadableKind {
  // Node has one code for both.
  if (code === "HPE_INVALID_HEADER_TOKEN") return /whitespace after header/i.test(message) ? "folded-header" : "header";
  if (code === "HPE_INVALID_VERSION") return rawPacket?.[bytesParsed - 1] === LF ? "line-ends" : "request-line";
  return KINDS.get(code) ?? "other";
}

const LF = 0x0a;

/** By the codes of Node's parser (llhttp's `src/llhttp/constants.ts`). */
const KINDS: ReadonlyMap<string, UnreadableKind> = new Map([
  ["HPE_INVALID_METHOD", "method"],
  ["HPE_PAUSED_H2_UPGRADE", "http2"],
  ["HPE_INVALID_URL", "request-line"],
  ["HPE_INVALID_CONSTANT", "request-line"],
  ["HPE_CR_EXPECTED", "line-ends"],
  ["HPE_LF_EXPECTED", "line-ends"],
  ["HPE_HEADER_OVERFLOW", "large-headers"],
  ["HPE_INVALID_CONTENT_LENGTH", "framing"],
  ["HPE_UNEXPECTED_CONTENT_LENGTH", "framing"],
  ["HPE_INVALID_TRANSFER_ENCODING", "framing"],
  ["HPE_INVALID_CHUNK_SIZE", "chunk"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "chunk"],
]);
