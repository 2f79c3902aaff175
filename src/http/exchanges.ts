import { whenAnswered, type Bindings } from "./bindings.ts";
import type { GatewayRequest } from "./decide-request.ts";
import type { Wire } from "./reply.ts";
import type { Instant } from "../domain/time.ts";

/** Exchanges that are kept in full, of all accounts together. */
const MOST_EXCHANGES = 1_000;

/** Bytes that they may take, all together. */
const MOST_BYTES = 8 * 1_048_576;

/** Bytes of one body that are kept. */
const MOST_OF_BODY = 16_384;

/** A request as it came, its secrets masked, and what its client was sent. */
export interface Exchange {
  readonly method: string;
  /** The request's target, as the first line names it. */
  readonly target: string;
  readonly httpVersion: string;
  /** In the order and the spelling in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Kept<Uint8Array>;
  /** Wall time. */
  readonly receivedAt: Instant;
  /** What was to be sent; a scenario may have broken the connection instead. */
  response: { readonly status: number; readonly head: string; readonly body: Kept<string> };
  /** How and when it ended, in wall time; nothing while the client waits. */
  ended?: { readonly how: "answered" | "broken"; readonly at: Instant };
}

/** The beginning of a body, and how long all of it is, in bytes. */
interface Kept<Content> {
  readonly kept: Content;
  readonly length: number;
}

/** Which request of which account an exchange belongs to. */
export interface ExchangeKey {
  readonly account: string;
  readonly requestId: string;
}

/**
 * The latest exchanges with clients, in memory only: the journal holds what decides, this holds how it looked on the wire. Secrets
 * are masked before they are kept. At most 1,000 exchanges and 8 MB; the oldest leave first.
 */
export class ExchangeLog {
  readonly #kept = new Map<string, Exchange>();
  #bytes = 0;

  find({ account, requestId }: ExchangeKey): Exchange | undefined {
    return this.#kept.get(`${account}\n${requestId}`);
  }

  /** Notes a request that was decided on, what it is answered, and when that has gone. */
  note(env: Bindings, request: GatewayRequest, { key, wire, now }: { key: ExchangeKey; wire: Wire; now: () => Instant }): void {
    const response = { status: wire.status, head: plainHead(wire), body: keptText(wire.body) };
    const exchange: Exchange = { ...headOf(env, request), body: keptBytes(request.body), receivedAt: request.arrival.at, response };
    this.#keep(`${key.account}\n${key.requestId}`, exchange);
    whenAnswered(env, () => {
      const { outgoing } = env;
      const isWhole = outgoing === undefined || outgoing.writableFinished;
      exchange.ended = { how: isWhole ? "answered" : "broken", at: now() };
      const head = sentHead(outgoing);
      if (head !== undefined) exchange.response = { ...response, head };
    });
  }

  #keep(key: string, exchange: Exchange): void {
    this.#forget(key);
    this.#kept.set(key, exchange);
    this.#bytes += sizeOf(exchange);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_EXCHANGES && this.#bytes <= MOST_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const exchange = this.#kept.get(key);
    if (exchange === undefined) return;
    this.#bytes -= sizeOf(exchange);
    this.#kept.delete(key);
  }
}

function headOf(
  { incoming, request }: Bindings,
  { method, path }: GatewayRequest,
): Pick<Exchange, "method" | "target" | "httpVersion" | "headers"> {
  if (incoming === undefined) {
    const headers = [...(request?.headers ?? [])].map(([name, value]) => [name, masked(name, value)] as const);
    return { method, target: path, httpVersion: "1.1", headers };
  }
  const { rawHeaders, url = path, httpVersion } = incoming;
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    headers.push([name, masked(name, value)]);
  }
  return { method, target: maskedTarget(url), httpVersion, headers };
}

const MASK = "••••••";
const SECRET_HEADERS = /^(?:(?:proxy-)?authorization|cookie|x-api-key)$/i;

/** A secret header keeps its scheme and, of Basic, the consumer key, which tells whose request it was. */
function masked(name: string, value: string): string {
  if (!SECRET_HEADERS.test(name)) return value;
  const [, scheme, encoded = ""] = /^(\w+) +(\S+)/.exec(value) ?? [];
  if (scheme === undefined) return MASK;
  if (scheme.toLowerCase() !== "basic") return `${scheme} ${MASK}`;
  const [key = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return secret.length === 0 ? `${scheme} ${MASK}` : `${scheme} ${key}:${MASK}`;
}

/** What stands behind the names of a query may be a secret. */
function maskedTarget(target: string): string {
  return target.includes("?") || target.includes("@")
    ? target.replaceAll(/(?<=[?&][^=&]*=)[^&]+/g, MASK).replace(/(?<=^[a-z]+:\/\/)[^/@]*@/i, `${MASK}@`)
    : target;
}

function keptBytes(body: Uint8Array): Kept<Uint8Array> {
  // A copy: the bytes may be a part of a larger buffer.
  return { kept: new Uint8Array(body.subarray(0, MOST_OF_BODY)), length: body.length };
}

function keptText(body: string): Kept<string> {
  return { kept: body.slice(0, MOST_OF_BODY), length: Buffer.byteLength(body) };
}

/** The head that Node wrote, byte for byte; Node keeps it under this name (lib/_http_outgoing.js). */
function sentHead(outgoing: Bindings["outgoing"]): string | undefined {
  const head: unknown = outgoing && Reflect.get(outgoing, "_header");
  return typeof head === "string" ? head.trimEnd() : undefined;
}

function plainHead({ status, headers }: Wire): string {
  return [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n");
}

function sizeOf({ target, headers, body, response }: Exchange): number {
  const head = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
  return head + body.kept.length + response.body.kept.length;
}
