import type { Dispatcher } from "undici";
import type { CallbackOutcome } from "../../domain/callback-outcome.ts";
import type { Millis } from "../../domain/time.ts";
import type { Delivered } from "../../ports/callback-transport.ts";
import { EgressRefused } from "./egress.ts";
import { BrokenOff } from "./spoil-body.ts";

/** How much of an answer's body is kept. */
const KEPT_BYTES = 4_096;

/** How much of a body is read and thrown away so that its connection can be used again; a longer one ends the connection. */
const READ_BYTES = 65_536;

/** Pieces of a body that are read: a receiver may send it in chunks of one byte each. */
const READ_PIECES = 1_000;

/** Informational responses before the final one (RFC 9110 section 15.2); more are a receiver that never comes to the point. */
const MOST_INTERIM = 10;

/** Timers count in 32 bits with a sign; a longer limit would end at once. */
const LONGEST_TIMER: Millis = 2_147_483_647;

export interface DeliveryTerms {
  readonly secure: boolean;
  readonly timeout: Millis;
  readonly now: () => Millis;
}

/** One try under way: undici reports to it, and it concludes once, whatever comes first. */
export class Delivery implements Dispatcher.DispatchHandler {
  readonly #terms: DeliveryTerms;
  readonly #begunAt: Millis;
  readonly #conclude: (delivered: Delivered) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #concluded = false;
  #status = 0;
  #answeredAt: Millis = 0;
  #location: string | undefined;
  #kept: Buffer = NOTHING;
  #read = 0;
  #pieces = 0;
  #interim = 0;

  constructor(terms: DeliveryTerms, conclude: (delivered: Delivered) => void) {
    this.#terms = terms;
    this.#conclude = conclude;
    this.#begunAt = terms.now();
    this.#timer = setTimeout(expireSoon, Math.min(terms.timeout, LONGEST_TIMER), this);
  }

  /** The last moment before the request is written: one that is over must not be sent any more. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#concluded) controller.abort(OVER);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return this.#countInterim();
    this.#status = status;
    this.#answeredAt = this.#terms.now();
    const location = headers["location"];
    this.#location = Array.isArray(location) ? location[0] : location;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#read += chunk.length;
    // A copy, because the chunk is a view of a whole packet that would stay in memory.
    if (this.#kept.length < KEPT_BYTES) this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, KEPT_BYTES - this.#kept.length)]);
    this.#pieces += 1;
    if (this.#read > READ_BYTES || this.#pieces > READ_PIECES) this.#stop(this.#answer());
  }

  onResponseEnd(): void {
    // After undici has queued the freeing of the connection, so that a callback sent because of this answer finds it free.
    queueMicrotask(() => setImmediate(finishAnswered, this));
  }

  onResponseError(_: Dispatcher.DispatchController, failure: Error): void {
    if (this.#concluded) return;
    const progress = { secure: this.#terms.secure, sent: this.#controller !== undefined };
    this.#finish(this.#answerOr(outcomeOfFailure(failure, progress)));
  }

  finishAnswered(): void {
    this.#finish(this.#answer());
  }

  /** The limit has passed. */
  expire(): void {
    this.#stop(this.#answerOr({ kind: "timed_out" }));
  }

  /** The sandbox has no more use for it. */
  abandon(): void {
    this.#stop(this.#answerOr({ kind: "abandoned" }));
  }

  #countInterim(): void {
    this.#interim += 1;
    if (this.#interim > MOST_INTERIM) this.#stop({ kind: "reset", reason: `more than ${MOST_INTERIM} informational responses` });
  }

  #stop(outcome: CallbackOutcome): void {
    if (this.#concluded) return;
    this.#finish(outcome);
    this.#controller?.abort(OVER);
  }

  #finish(outcome: CallbackOutcome): void {
    if (this.#concluded) return;
    this.#concluded = true;
    clearTimeout(this.#timer);
    const endedAt = this.#status === 0 ? this.#terms.now() : this.#answeredAt;
    this.#conclude({ outcome, millis: endedAt - this.#begunAt });
  }

  /** An answer whose status line came is an answer, however its body ends. */
  #answerOr(otherwise: CallbackOutcome): CallbackOutcome {
    return this.#status === 0 ? otherwise : this.#answer();
  }

  #answer(): CallbackOutcome {
    const status = this.#status;
    const body = decodeBody(this.#kept, this.#read);
    if (status < 300 || status > 399 || this.#location === undefined) return { kind: "answered", status, body };
    return { kind: "redirect", status, location: this.#location, body };
  }
}

const NOTHING = Buffer.alloc(0);
const OVER = new Error("the delivery is over");

function finishAnswered(delivery: Delivery): void {
  delivery.finishAnswered();
}

/** An answer may have arrived while this process was busy with something else: let what lies in the socket be read first. */
function expireSoon(delivery: Delivery): void {
  setImmediate(() => delivery.expire());
}

/** A character that the limit cuts in two is left out. */
function decodeBody(kept: Buffer, read: number): string {
  if (kept.length === 0) return "";
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(kept, { stream: read > kept.length });
}

/** Where the try stood when it failed. */
interface Progress {
  readonly secure: boolean;
  /** The connection stood, TLS included, and the request was being written. */
  readonly sent: boolean;
}

/** What a failure of the connection, of TLS or of HTTP comes down to. */
function outcomeOfFailure(failure: Error, progress: Progress): CallbackOutcome {
  if (failure instanceof EgressRefused) return { kind: "blocked", reason: failure.message };
  if (failure instanceof BrokenOff) return { kind: "broken_off" };
  const code = codeOf(failure);
  const plain = PLAIN_OUTCOMES.get(code);
  if (plain !== undefined) return plain;
  if (UNSENDABLE.has(code)) return { kind: "blocked", reason: failure.message };
  if (UNREACHABLE.has(code)) return { kind: "refused", reason: code };
  if (isTls(code, progress)) return { kind: "tls", reason: code === "" ? failure.message : `${code}: ${failure.message}` };
  return { kind: "reset", reason: failure.message };
}

/** Codes of the operating system and of undici that say it all. */
const PLAIN_OUTCOMES: ReadonlyMap<string, CallbackOutcome> = new Map<string, CallbackOutcome>([
  ["ECONNREFUSED", { kind: "refused" }],
  ["ECONNRESET", { kind: "reset" }],
  ["EPIPE", { kind: "reset" }],
  ["ECONNABORTED", { kind: "reset" }],
  ["UND_ERR_SOCKET", { kind: "reset" }],
  ["ENOTFOUND", { kind: "unresolved_name" }],
  ["EAI_AGAIN", { kind: "unresolved_name" }],
  ["ETIMEDOUT", { kind: "timed_out" }],
]);

const UNREACHABLE: ReadonlySet<string> = new Set([
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
  "EINVAL",
  "EMFILE",
]);

/** What undici will not write at all. */
const UNSENDABLE: ReadonlySet<string> = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED", "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"]);

/** Certificates are refused before anything is sent, under many codes; alerts may come later, under OpenSSL's. */
function isTls(code: string, { secure, sent }: Progress): boolean {
  return secure && (!sent || code === "EPROTO" || /^ERR_(SSL|TLS|OSSL)/.test(code));
}

function codeOf(failure: Error): string {
  return "code" in failure && typeof failure.code === "string" ? failure.code : "";
}
