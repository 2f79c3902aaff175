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
  readonly headers: [name: string, value: string][];
  readonly body: Kept<Uint8Array>;
  /** Wall time. */
  readonly receivedAt: Instant;
  /** What was to be sent; a scenario may have broken the connection instead. */
  readonly response: { readonly status: number; readonly head: string; readonly body: Kept<string> };
  /** How and when it ended, in wall time; undefined while the client waits. */
  readonly ended: { readonly how: "answered" | "broken"; readonly at: Instant } | undefined;
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

/** An exchange as it is kept: every request pays for this, so nothing is masked or put together before somebody asks for it. */
interface Recorded extends Pick<Exchange, "method" | "target" | "httpVersion" | "body" | "receivedAt"> {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly wire: Wire;
  /** What Node wrote, once it has. */
  sentHead: string | undefined;
  ended: Exchange["ended"];
}

/**
 * The latest exchanges with clients, in memory only: the journal holds what decides, this holds how it looked on the wire. Secrets
 * are masked whenever one is read. At most 1,000 exchanges and 8 MB; the oldest leave first.
 */
export class ExchangeLog {
  readonly #kept = new Map<string, Recorded>();
  #bytes = 0;

  find({ account, requestId }: ExchangeKey): Exchange | undefined {
    const recorded = this.#kept.get(`${account}\n${requestId}`);
    return recorded && exchangeOf(recorded);
  }

  /** Notes a request that was decided on, what it is answered, and when that has gone. */
  note(env: Bindings, request: GatewayRequest, { key, wire, now }: { key: ExchangeKey; wire: Wire; now: () => Instant }): void {
    const { incoming, outgoing } = env;
    const recorded: Recorded = {
      method: request.method,
      target: incoming?.url ?? request.path,
      httpVersion: incoming?.httpVersion ?? "1.1",
      rawHeaders: incoming?.rawHeaders ?? [...(env.request?.headers ?? [])].flat(),
      // A copy: the bytes may be a part of a larger buffer.
      body: { kept: new Uint8Array(request.body.subarray(0, MOST_OF_BODY)), length: request.body.length },
      receivedAt: request.arrival.at,
      wire,
      sentHead: undefined,
      ended: undefined,
    };
    this.#keep(`${key.account}\n${key.requestId}`, recorded);
    whenAnswered(env, () => {
      recorded.ended = { how: outgoing === undefined || outgoing.writableFinished ? "answered" : "broken", at: now() };
      recorded.sentHead = sentHead(outgoing);
    });
  }

  #keep(key: string, recorded: Recorded): void {
    this.#forget(key);
    this.#kept.set(key, recorded);
    this.#bytes += sizeOf(recorded);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_EXCHANGES && this.#bytes <= MOST_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const recorded = this.#kept.get(key);
    if (recorded === undefined) return;
    this.#bytes -= sizeOf(recorded);
    this.#kept.delete(key);
  }
}

function exchangeOf({ method, target, httpVersion, rawHeaders, body, receivedAt, wire, sentHead, ended }: Recorded): Exchange {
  const { status, body: answer } = wire;
  const headers: Exchange["headers"] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    headers.push([name, masked(name, value)]);
  }
  const sent = { kept: answer.slice(0, MOST_OF_BODY), length: Buffer.byteLength(answer) };
  const response = { status, head: sentHead ?? plainHead(wire), body: sent };
  return { method, target: maskedTarget(target), httpVersion, headers, body, receivedAt, response, ended };
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

/** The head that Node wrote, byte for byte; Node keeps it under this name (lib/_http_outgoing.js). */
function sentHead(outgoing: Bindings["outgoing"]): string | undefined {
  const head: unknown = outgoing && Reflect.get(outgoing, "_header");
  return typeof head === "string" ? head.trimEnd() : undefined;
}

function plainHead({ status, headers }: Wire): string {
  return [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n");
}

function sizeOf({ target, rawHeaders, body, wire }: Recorded): number {
  let size = target.length + body.kept.length + wire.body.length;
  for (const text of rawHeaders) size += text.length;
  return size;
}
