import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { request as requestHttp } from "node:http";
import { formatDuration, type Millis } from "../domain/time.ts";

/** One HTTP request, as small as a person's client needs it. */
export interface Inquiry {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Wall time for the whole answer. */
  readonly limit: Millis;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** No answer came; `wasConnected` says whether the request may have been taken all the same. */
export class Unanswered extends Error {
  readonly wasConnected: boolean;
  /** What to do about it, where it is not a sandbox that is missing. */
  readonly repair: string | undefined;

  constructor(reason: string, wasConnected: boolean, repair?: string) {
    super(reason);
    this.wasConnected = wasConnected;
    this.repair = repair;
  }
}

/**
 * Asks and waits for the whole answer; throws `Unanswered`. Not `fetch`: that refuses some ports a sandbox may well have
 * (10080, 6000; fetch.spec.whatwg.org, "Port blocking"), and takes longer to load.
 */
export async function exchange(inquiry: Inquiry): Promise<Answer> {
  const signal = AbortSignal.timeout(inquiry.limit);
  const request = await open(inquiry, signal);
  let wasConnected = false;
  const connectEvent = inquiry.url.startsWith("https:") ? "secureConnect" : "connect";
  request.on("socket", (socket) => socket.once(connectEvent, () => (wasConnected = true)));
  try {
    const response = await respond(request, inquiry.body);
    const chunks: Buffer[] = await response.toArray();
    return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${formatDuration(inquiry.limit)}` : explain(error);
    throw new Unanswered(reason, wasConnected, REPAIRS[codeOf(error)]);
  }
}

async function open({ url, method, headers, body }: Inquiry, signal: AbortSignal): Promise<ClientRequest> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options: RequestOptions = { method, headers: { ...headers, ...length }, signal, agent: false };
  if (!url.startsWith("https:")) return requestHttp(url, options);
  const { request: requestHttps } = await import("node:https");
  return requestHttps(url, options);
}

function respond(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    // Stays for good: after the response has begun, its own error is the one that counts.
    request.on("error", reject);
    request.end(body);
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "no such name",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "connecting took too long",
  EPROTO: "what answers there does not speak TLS",
};

const TRUST = "name its authority's certificate (/ca.pem of a sandbox) in NODE_EXTRA_CA_CERTS, or call it by http://";

/** Node's manual, "X509 certificate error codes", for those of a chain whose end nobody trusts. */
const REPAIRS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  EPROTO: "call it by http://, or name the port of HTTPS",
};

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (code.startsWith("HPE_")) return "what answers there does not speak HTTP";
  return REASONS[code] ?? (error.message || code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
