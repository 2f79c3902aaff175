import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { request as requestHttp } from "node:http";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Wall time for the complete response. */
  readonly limit: Millis;
  /** The most bytes of a response that are read. */
  readonly mostBytes?: number;
  /** Aborts the call early. */
  readonly signal?: AbortSignal;
}

export type HttpReply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string; readonly isCut?: boolean }
  /** No complete response. `wasReached` says whether a connection was established, `isLate` whether the limit passed. */
  | { readonly kind: "silent"; readonly reason: string; readonly wasReached: boolean; readonly isLate?: boolean };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether it is longer than what was read of it. */
  readonly isCut?: boolean;
}

/** Thrown if there was no response. `wasConnected` says whether the server may have received the request. */
export class Unanswered extends Error {
  readonly wasConnected: boolean;
  /** What to do about it, unless the sandbox is simply not running. */
  readonly repair: string | undefined;

  constructor(reason: string, wasConnected: boolean, repair?: string) {
    super(reason);
    this.wasConnected = wasConnected;
    this.repair = repair;
  }
}

/** Thrown if the response was not complete within the limit. */
class Late extends Unanswered {}

/**
 * Sends a request and waits for the complete response. Throws `Unanswered`. Does not use `fetch`, which blocks some ports that a sandbox
 * may use (10080, 6000; fetch.spec.whatwg.org, "Port blocking").
 */
export async function exchange(call: HttpCall): Promise<Answer> {
  const timeout = AbortSignal.timeout(call.limit);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
  const request = await open(call, signal);
  let wasConnected = false;
  const connectEvent = call.url.startsWith("https:") ? "secureConnect" : "connect";
  request.on("socket", (socket) => socket.once(connectEvent, () => (wasConnected = true)));
  try {
    const response = await respond(request, call.body);
    const body = await readBody(response, call.mostBytes ?? Infinity);
    return { status: response.statusCode ?? 0, headers: response.headers, ...body };
  } catch (error) {
    if (timeout.aborted) throw new Late(`no answer within ${formatDuration(call.limit)}`, wasConnected);
    throw new Unanswered(explain(error), wasConnected, REPAIRS[codeOf(error)]);
  }
}

async function readBody(response: AsyncIterable<Buffer>, mostBytes: number): Promise<Pick<Answer, "text" | "isCut">> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) break;
  }
  const isCut = length > mostBytes;
  const body = Buffer.concat(chunks);
  return { text: (isCut ? body.subarray(0, mostBytes) : body).toString(), ...(isCut && { isCut }) };
}

/** Sends one request to an application or a receiver like any other client. Never rejects for want of an answer. */
export async function callOverHttp(call: HttpCall): Promise<HttpReply> {
  try {
    const { headers: _headers, ...answer } = await exchange(call);
    return { kind: "answered", ...answer };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { kind: "silent", reason: error.message, wasReached: error.wasConnected, isLate: error instanceof Late };
  }
}

/** Sends a request without a body, and resolves when its response begins. Throws `Unanswered`. */
export async function openStream(call: Omit<HttpCall, "limit">, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    return await respond(await open(call, signal), undefined);
  } catch (error) {
    throw new Unanswered(explain(error), false, REPAIRS[codeOf(error)]);
  }
}

async function open(
  { url, method, headers, body }: Omit<HttpCall, "limit">,
  signal: AbortSignal,
): Promise<ClientRequest> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options: RequestOptions = { method, headers: { ...headers, ...length }, signal, agent: false };
  if (!url.startsWith("https:")) return requestHttp(url, options);
  const { request: requestHttps } = await import("node:https");
  return requestHttps(url, options);
}

function respond(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    // Never removed: once the response has begun, its own error is reported instead.
    request.on("error", reject);
    request.end(body);
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "no such name",
  EAI_AGAIN: "the DNS lookup failed",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "connecting took too long",
  EPROTO: "the server there does not speak TLS",
};

const TRUST = "set NODE_EXTRA_CA_CERTS to its authority's certificate (/ca.pem of a sandbox), or use http://";

/** Source: Node's manual, "X509 certificate error codes". These codes mean that the certificate chain is not trusted. */
const REPAIRS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  EPROTO: "use http://, or the HTTPS port",
};

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (code.startsWith("HPE_")) return "the server there does not speak HTTP";
  return REASONS[code] ?? (messageOf(error) || code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
