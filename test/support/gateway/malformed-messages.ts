import { AIRTIME } from "./gateway-client.ts";
import type { UnreadableKind } from "../../../src/gateway/adapters/server/unreadable.ts";
import type { RawClient } from "./raw-client.ts";
import { rawHead, rawPost } from "./raw-requests.ts";

/** What is sent, one character per byte, the status that refuses it, and what it is said to be. */
type Malformed = readonly [what: string, bytes: string, status: number, kind: UnreadableKind];

/** Messages that are no HTTP request. Their connection is closed. */
const NO_REQUESTS: readonly Malformed[] = [
  ["words", "hello there, gateway\r\n\r\n", 400, "method"],
  ["the first bytes of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "tls"],
  ["HTTP/2 with prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "http2"],
  ["a PROXY line", `PROXY TCP4 192.0.2.1 192.0.2.2 50000 80\r\n${rawPost()}`, 400, "proxy"],
  [
    "a binary PROXY header",
    "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\xc0\x00\x02\x01\xc0\x00\x02\x02\xc3P\x00P",
    400,
    "proxy",
  ],
  ["a method in lower case", rawPost().replace("POST", "post"), 400, "method"],
  ["a method that does not exist", rawPost({ line: `BUY ${AIRTIME} HTTP/1.1` }), 400, "method"],
  ["lines that end with LF", rawPost().replaceAll("\r\n", "\n"), 400, "line-ends"],
  ["a header that ends with LF", rawPost().replace("gateway.test\r\n", "gateway.test\n"), 400, "line-ends"],
  ["a folded header", rawPost({ headers: ["X-Folded: one\r\n two"] }), 400, "folded-header"],
  ["a header without a colon", rawHead({ headers: ["garbage"] }), 400, "header"],
  ["a header with a control character", rawHead({ headers: ["X-Bell: \x07"] }), 400, "header"],
  ["a length that is no number", rawHead({ headers: ["Content-Length: many"] }), 400, "framing"],
  ["two lengths that differ", rawHead({ headers: ["Content-Length: 1", "Content-Length: 2"] }), 400, "framing"],
  ["a length and chunks", rawHead({ headers: ["Content-Length: 1", "Transfer-Encoding: chunked"] }), 400, "framing"],
  ["a chunk of no length", `${rawHead({ headers: ["Transfer-Encoding: chunked"] })}zz\r\n`, 400, "chunk"],
  ["a blank in the target", rawPost({ line: "POST /api /v2 HTTP/1.1" }), 400, "request-line"],
  ["no Host at all", rawPost().replace("Host: gateway.test\r\n", ""), 400, "no-host"],
  [
    "a user in the target",
    rawPost({ line: `POST http://user:secret@gateway.test${AIRTIME} HTTP/1.1` }),
    400,
    "user-in-target",
  ],
  ["a CONNECT", rawHead({ line: "CONNECT gateway.test:443 HTTP/1.1" }), 501, "connect"],
  ["an unknown expectation", rawPost({ headers: ["Expect: 200-ok"] }), 417, "expectation"],
  ["headers of 17 KB", rawPost({ headers: [`X-Long: ${"x".repeat(17_000)}`] }), 431, "large-headers"],
  [
    "chunk extensions of 17 KB",
    `${rawHead({ headers: ["Transfer-Encoding: chunked"] })}1;${"x".repeat(17_000)}\r\n`,
    413,
    "chunk",
  ],
];

/** Requests whose target and Host form no URL. Their connection stays open. */
const NO_URLS: readonly Malformed[] = [
  ["a Host that is no host", rawPost().replace("gateway.test", "no host"), 400, "target"],
  ["an asterisk for a path", rawHead({ line: "OPTIONS * HTTP/1.1" }), 400, "target"],
  ["a backslash in the path", rawPost({ line: "POST /api\\v2\\sms HTTP/1.1" }), 400, "target"],
  ["a whole URL that is none", rawPost({ line: "POST http://[/api/v2/airtime HTTP/1.1" }), 400, "target"],
];

/** Messages that never become a request of an account. */
export const MALFORMED_MESSAGES = [...NO_REQUESTS, ...NO_URLS];

const DESCRIPTIONS: ReadonlyMap<number, string> = new Map([
  [400, "Bad Request."],
  [413, "Content Too Large."],
  [417, "Expectation Failed."],
  [431, "Request Header Fields Too Large."],
  [501, "Not Implemented."],
]);

/** How a message was refused. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly isClosed: boolean;
}

/** The refusals of malformed messages, by what they are. Every process gives the same ones, whatever it is doing. */
export const REFUSALS: Readonly<Record<string, Refusal>> = Object.fromEntries([
  ...NO_REQUESTS.map(([what, , status]) => [what, refusal(status, true)] as const),
  ...NO_URLS.map(([what, , status]) => [what, refusal(status, false)] as const),
]);

function refusal(status: number, isClosed: boolean): Refusal {
  const body = { status_code: status, description: DESCRIPTIONS.get(status), request_id: "ID" };
  return { status, body, isClosed };
}

interface Server {
  connect(): Promise<RawClient>;
}

/** Sends every malformed message over a connection of its own, all at the same time. */
export async function refusalsAt(server: Server): Promise<Record<string, Refusal>> {
  return Object.fromEntries(
    await Promise.all(MALFORMED_MESSAGES.map(async ([what, bytes]) => [what, await refusalOf(bytes, server)] as const)),
  );
}

async function refusalOf(bytes: string, server: Server): Promise<Refusal> {
  await using client = await server.connect();
  client.socket.write(bytes, "latin1");
  const { status, headers, body } = await client.read();
  const shown: unknown = JSON.parse(body.replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/, '"ID"'));
  return { status, body: shown, isClosed: headers["connection"]?.toLowerCase() === "close" };
}
