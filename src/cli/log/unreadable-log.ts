import { BROKEN_CREDENTIALS } from "../../gateway/adapters/server/broken-credentials.ts";
import type { Unreadable, UnreadableKind } from "../../gateway/adapters/server/unreadable.ts";
import { type Instant, SECOND } from "../../gateway/domain/time.ts";
import type { LogEntry } from "./log-entry.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Logs what never becomes a request. Of each problem at most one line a second; the next line has the number of those left out. */
export function unreadableLog(
  write: (entry: LogEntry) => void,
  { clock }: Pick<Terminal, "clock">,
  httpsPort: number | undefined,
): (unreadable: Unreadable) => void {
  const lines = new Map<string, { readonly at: Instant; omitted: number }>();
  return (unreadable) => {
    const explanation = explain(unreadable, httpsPort);
    const line = `${unreadable.scheme} ${explanation.problem}`;
    const last = lines.get(line);
    const now = clock.now();
    if (last !== undefined && Math.abs(now - last.at) < SECOND) {
      last.omitted += 1;
      return;
    }
    lines.set(line, { at: now, omitted: 0 });
    write(entryOf(unreadable, explanation, last?.omitted ?? 0));
  };
}

function entryOf({ scheme, kind, code }: Unreadable, explanation: Explanation, omitted: number): LogEntry {
  const { problem, repair } = explanation;
  const more = omitted === 0 ? "" : ` [and ${omitted} more before]`;
  return {
    level: "warn",
    event: "unreadable",
    text: () => `${scheme.padEnd(9)} ${problem}; ${repair}${code === undefined ? "" : ` (${code})`}${more}`,
    fields: () => ({ scheme, kind, code, problem, repair, omitted: omitted || undefined }),
  };
}

interface Explanation {
  readonly problem: string;
  readonly repair: string;
}

/** Says what a client sent, and what to change. */
function explain({ kind, code = "" }: Unreadable, httpsPort: number | undefined): Explanation {
  if (kind === "handshake") return HANDSHAKES.find(([pattern]) => pattern.test(code))?.[1] ?? UNKNOWN_HANDSHAKE;
  if (kind !== "tls") return EXPLANATIONS[kind];
  return { problem: "a client spoke TLS to the port for HTTP", repair: `use http://, or ${whereTlsIs(httpsPort)}` };
}

function whereTlsIs(httpsPort: number | undefined): string {
  if (httpsPort === undefined) return "start Kredo with --https";
  return httpsPort === 0 ? "call the port for HTTPS" : `call port ${httpsPort}`;
}

const EXPLANATIONS: Readonly<Record<Exclude<UnreadableKind, "handshake" | "tls">, Explanation>> = {
  http2: { problem: "a client spoke HTTP/2 without being asked", repair: "set its HTTP version to 1.1" },
  proxy: {
    problem: "a connection began with a PROXY header",
    repair: "turn the PROXY protocol off at the load balancer (HAProxy: send-proxy)",
  },
  connect: {
    problem: "a client sent CONNECT, as to a proxy",
    repair: "use this URL as the gateway's base URL, not as HTTP_PROXY or HTTPS_PROXY",
  },
  method: {
    problem: "a message does not begin with a method of HTTP",
    repair: "send a request such as POST /api/v2/airtime HTTP/1.1, the method in capitals",
  },
  "request-line": {
    problem: "a request line is not METHOD TARGET HTTP/1.1",
    repair: "encode blanks and other special characters in the URL",
  },
  target: {
    problem: "the target and the Host header of a request form no URL",
    repair: "send a path such as /api/v2/airtime, and the host name with its port",
  },
  "user-in-target": {
    problem: "a request names a user in its target",
    repair: "send the credentials in the Authorization header",
  },
  "broken-credentials": BROKEN_CREDENTIALS,
  "line-ends": { problem: "a line ends with LF alone", repair: "end each line of the head with CR LF" },
  "folded-header": {
    problem: "a header continues on a second line",
    repair: "send it on one line; base64 breaks lines at 76 characters unless told otherwise (base64 -w0)",
  },
  header: {
    problem: "a header line has no name, no colon or a forbidden character",
    repair: "send NAME: VALUE on one line; base64 breaks lines at 76 characters unless told otherwise (base64 -w0)",
  },
  "large-headers": {
    problem: "a request has more than 16 KiB of headers",
    repair: "send fewer or smaller ones, such as cookies and tokens",
  },
  "short-headers": {
    problem: "a connection ended or stood still in the middle of the headers",
    repair: "end them with an empty line",
  },
  "no-host": { problem: "a request has no Host header", repair: "send one, as HTTP/1.1 requires" },
  expectation: {
    problem: "a request has an Expect header other than 100-continue",
    repair: "remove it",
  },
  framing: {
    problem: "the Content-Length or Transfer-Encoding of a request is invalid, or it has both",
    repair: "send one Content-Length, in bytes, or Transfer-Encoding: chunked",
  },
  chunk: {
    problem: "a chunk of a body is malformed",
    repair: "begin each chunk with its length in hexadecimal digits, without extensions",
  },
  "short-body": {
    problem: "a body is shorter than its Content-Length, or its client left in the middle",
    repair: "count the bytes of the body, and send all of them",
  },
  "long-body": {
    problem: "what follows a body is not a request: the Content-Length is probably too small",
    repair: "count the bytes of the body, not its characters",
  },
  other: { problem: "a message is not HTTP/1.1", repair: "send HTTP/1.1 (RFC 9112)" },
};

const HANDSHAKES: readonly (readonly [code: RegExp, explanation: Explanation])[] = [
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)/,
    { problem: "a client does not trust the certificate", repair: "give it the CA's, as at /ca.pem" },
  ],
  [
    /HANDSHAKE_TIMEOUT/,
    { problem: "a client did not finish its TLS handshake in time", repair: "look at what stops it, such as a proxy" },
  ],
  [
    /HTTP_REQUEST|WRONG_VERSION_NUMBER/,
    { problem: "a client does not speak TLS", repair: "call this port with https://" },
  ],
  [
    /UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER/,
    { problem: "a client offers no secure TLS version", repair: "let it use 1.2 or newer" },
  ],
];

const UNKNOWN_HANDSHAKE: Explanation = {
  problem: "a client's TLS handshake failed",
  repair: "look at the client's own error",
};
