import type { AnswerEnd, AnswerEnded, GatewayRequest } from "./bindings.ts";
import type { Wire } from "./reply.ts";
import type { Instant } from "../domain/time.ts";

/** Exchanges that are kept in full, of all accounts together. */
const MOST_EXCHANGES = 1_000;

/** Bytes that they may take, all together. */
const MOST_BYTES = 8 * 1_048_576;

/** Bytes of one body that are shown. */
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
  readonly ended: { readonly how: AnswerEnd; readonly at: Instant } | undefined;
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

/** A request that was decided on, and what it is answered. */
interface Noted extends ExchangeKey {
  readonly request: GatewayRequest;
  readonly wire: Wire;
}

/** An exchange as it is kept: every request pays for this, so nothing is copied, masked or put together before somebody asks for it. */
class Recorded {
  readonly noted: Noted;
  ended: Exchange["ended"];
  /** What Node wrote, once it has. */
  sentHead: string | undefined;

  constructor(noted: Noted) {
    this.noted = noted;
  }

  end({ end: how, head }: AnswerEnded, at: Instant): void {
    this.ended = { how, at };
    this.sentHead = head;
  }
}

/**
 * The latest exchanges with clients, in memory only: the journal holds what decides, this holds how it looked on the wire. Secrets
 * are masked whenever one is read. At most 1,000 exchanges and 8 MB; the oldest leave first.
 */
export class ExchangeLog {
  /** A ring: an exchange takes the place of the one that came 1,000 before it. */
  readonly #kept: (Recorded | undefined)[] = [];
  #oldest = 0;
  #next = 0;
  #bytes = 0;

  find({ account, requestId }: ExchangeKey): Exchange | undefined {
    const found = this.#kept.find((kept) => kept?.noted.requestId === requestId && kept.noted.account === account);
    return found && exchangeOf(found);
  }

  /** Keeps an exchange; whoever notes it tells when it has ended. */
  note(noted: Noted): Recorded {
    const recorded = new Recorded(noted);
    if (this.#next - this.#oldest === MOST_EXCHANGES) this.#forgetOldest();
    this.#kept[this.#next % MOST_EXCHANGES] = recorded;
    this.#next += 1;
    this.#bytes += sizeOf(noted);
    while (this.#bytes > MOST_BYTES) this.#forgetOldest();
    return recorded;
  }

  #forgetOldest(): void {
    const place = this.#oldest % MOST_EXCHANGES;
    const oldest = this.#kept[place];
    if (oldest !== undefined) this.#bytes -= sizeOf(oldest.noted);
    this.#kept[place] = undefined;
    this.#oldest += 1;
  }
}

function exchangeOf({ noted: { request, wire }, sentHead, ended }: Recorded): Exchange {
  const { method, target, httpVersion, rawHeaders, receivedAt } = request;
  const headers: Exchange["headers"] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    headers.push([name, masked(name, value)]);
  }
  const body = { kept: request.body.subarray(0, MOST_OF_BODY), length: request.body.length };
  const sent = { kept: wire.body.slice(0, MOST_OF_BODY), length: Buffer.byteLength(wire.body) };
  const response = { status: wire.status, head: sentHead?.trimEnd() ?? plainHead(wire), body: sent };
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

function plainHead({ status, headers }: Wire): string {
  return [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n");
}

function sizeOf({ request, wire }: Noted): number {
  let size = request.target.length + request.body.length + wire.body.length;
  for (const text of request.rawHeaders) size += text.length;
  return size;
}
