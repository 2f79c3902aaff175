import type { ClientLeft, ClientWaits } from "../account/events.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { RunningAccount } from "../engine/account.ts";
import { EngineError } from "../engine/engine-error.ts";
import { NotTheOwner } from "../ports/journal-store.ts";
import type { ResponseOutcome, ResponseEnd, ReceivedRequest, WaitingClient } from "./bindings.ts";
import type { Wire } from "../account/wire.ts";

/** The most exchanges stored, over all accounts. */
const MAX_EXCHANGES = 1_000;

/** The most bytes they may take in total. */
const MAX_BYTES = 8 * 1_048_576;

/** The most bytes of a body that are shown. */
const MAX_KEPT_BODY = 16_384;

/** A request as received, with its secrets masked, and its response. */
export interface StoredExchange {
  readonly method: string;
  /** The target as in the request line. */
  readonly target: string;
  readonly httpVersion: string;
  /** In their original order and spelling. */
  readonly headers: [name: string, value: string][];
  readonly body: Truncated<Uint8Array>;
  /** Wall time. */
  readonly receivedAt: Instant;
  /** The intended response. A scenario may have broken the connection instead. */
  readonly response: { readonly status: number; readonly head: string; readonly body: Truncated<string> };
  /** How and when it ended (wall time); undefined while the client is waiting. */
  readonly ended: { readonly how: ResponseOutcome; readonly at: Instant } | undefined;
}

/** The beginning of a body, and its total length in bytes. */
interface Truncated<Content> {
  readonly kept: Content;
  readonly length: number;
}

/** A request and its response, as stored. Every request pays for this, so nothing is copied, masked or assembled before it is read. */
class Exchange implements WaitingClient {
  readonly account: RunningAccount;
  readonly requestId: string;
  readonly request: ReceivedRequest;
  readonly wire: Wire;
  readonly size: number;
  isClosedBySandbox = false;
  ended: StoredExchange["ended"];
  /** The head that Node wrote, once it has. Trimming makes one text of the dozens that Node joined, which would outlive their request. */
  sentHead: string | undefined;
  /** The account's state, which names the run: it changes in place until the account starts over. */
  readonly #state: AccountState;
  readonly #log: ExchangeLog;

  constructor(account: RunningAccount, requestId: string, request: ReceivedRequest, wire: Wire, log: ExchangeLog) {
    this.account = account;
    this.requestId = requestId;
    this.request = request;
    this.wire = wire;
    this.#log = log;
    this.size = sizeOf(request, wire);
    this.#state = account.state;
  }

  /** Returns whether the id still names this request: until its account starts over, or for good if it is of a rehearsal. */
  isNamedIn(account: RunningAccount): boolean {
    return this.account === account && (this.#state === account.state || this.#state.rehearsal !== undefined);
  }

  end({ end: how, head }: ResponseEnd): void {
    this.ended = { how, at: this.account.wall.now() };
    this.sentHead = head?.trimEnd();
  }

  /** Ends, and journals it if the client left before its response. */
  endDecided(ended: ResponseEnd): void {
    this.end(ended);
    if (ended.end === "broken" && !this.isClosedBySandbox && !ended.isClosedBySandbox) this.#journal("client-left");
  }

  onEndlessWait(): void {
    this.#journal("client-waits");
  }

  /** Journals that the client left or is still waiting, unless the account was reset or dropped since the request. */
  #journal(kind: (ClientLeft | ClientWaits)["kind"]): void {
    const { stopping, report } = this.#log;
    if (stopping.aborted) return;
    const { requestId } = this;
    const waited = this.account.wall.now() - this.request.receivedAt;
    try {
      this.account.journal.append((state, at) => (state === this.#state ? [{ kind, at, requestId, waited }] : []));
    } catch (problem) {
      if (!(problem instanceof EngineError || problem instanceof NotTheOwner)) report(problem);
    }
  }
}

/**
 * The latest exchanges with clients, in memory only. The journal stores decisions; this stores what was on the wire. Secrets are masked on
 * reading. Stores at most 1,000 exchanges and 8 MB; the oldest are dropped first.
 */
export class ExchangeLog {
  readonly stopping: AbortSignal;
  readonly report: (fault: unknown) => void;
  /** A ring buffer: each exchange replaces the one 1,000 before it. */
  readonly #kept: (Exchange | undefined)[] = [];
  #oldest = 0;
  #next = 0;
  #bytes = 0;

  /** `stopping` aborts when the sandbox stops. That closes every connection, which says nothing about the clients. */
  constructor(stopping: AbortSignal, report: (fault: unknown) => void) {
    this.stopping = stopping;
    this.report = report;
  }

  /** Finds the exchange of a request. After a reset, a seed gives an id again; only the ids of a rehearsal never come again. */
  find(account: RunningAccount, requestId: string): StoredExchange | undefined {
    const found = this.#kept.find((kept) => kept?.requestId === requestId && kept.isNamedIn(account));
    return found && storedOf(found);
  }

  /** Records the exchange of a request. The caller ends it later. */
  begin(account: RunningAccount, requestId: string, request: ReceivedRequest, wire: Wire): Exchange {
    const exchange = new Exchange(account, requestId, request, wire, this);
    this.#add(exchange);
    return exchange;
  }

  #add(exchange: Exchange): void {
    if (this.#next - this.#oldest === MAX_EXCHANGES) this.#forgetOldest();
    this.#kept[this.#next % MAX_EXCHANGES] = exchange;
    this.#next += 1;
    this.#bytes += exchange.size;
    while (this.#bytes > MAX_BYTES) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const place = this.#oldest % MAX_EXCHANGES;
    const oldest = this.#kept[place];
    this.#bytes -= oldest?.size ?? 0;
    this.#kept[place] = undefined;
    this.#oldest += 1;
  }
}

function storedOf({ request, wire, sentHead, ended }: Exchange): StoredExchange {
  const { method, target, httpVersion, rawHeaders, receivedAt } = request;
  const headers: StoredExchange["headers"] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    headers.push([name, masked(name, value)]);
  }
  const body = { kept: request.body.subarray(0, MAX_KEPT_BODY), length: request.body.length };
  const sent = { kept: wire.body.slice(0, MAX_KEPT_BODY), length: Buffer.byteLength(wire.body) };
  const response = { status: wire.status, head: sentHead ?? plainHead(wire), body: sent };
  return { method, target: maskedTarget(target), httpVersion, headers, body, receivedAt, response, ended };
}

/** In place of a secret. */
export const MASK = "••••••";
const SECRET_HEADERS = /^(?:(?:proxy-)?authorization|cookie|x-api-key)$/i;

/** Masks a secret header but keeps its scheme, and for Basic the consumer key, which shows whose request it was. */
function masked(name: string, value: string): string {
  if (!SECRET_HEADERS.test(name)) return value;
  const [, scheme, encoded = ""] = /^(\w+) +(\S+)/.exec(value) ?? [];
  if (scheme === undefined) return MASK;
  if (scheme.toLowerCase() !== "basic") return `${scheme} ${MASK}`;
  const [key = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return secret.length === 0 ? `${scheme} ${MASK}` : `${scheme} ${key}:${MASK}`;
}

/** Masks the values of a query, which may be secret. */
function maskedTarget(target: string): string {
  return target.includes("?") || target.includes("@")
    ? target.replaceAll(/(?<=[?&][^=&]*=)[^&]+/g, MASK).replace(/(?<=^[a-z]+:\/\/)[^/@]*@/i, `${MASK}@`)
    : target;
}

function plainHead({ status, headers }: Wire): string {
  return [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n");
}

function sizeOf(request: ReceivedRequest, wire: Wire): number {
  let size = request.target.length + request.body.length + wire.body.length;
  for (const text of request.rawHeaders) size += text.length;
  return size;
}
