import type { Dispatcher } from "undici";
import type { CallbackOutcome } from "../../domain/callback-outcome.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Millis } from "../../domain/time.ts";
import type { Delivered } from "../../ports/callback-transport.ts";
import { EgressRefused } from "./egress.ts";

/** How much of a response body is stored. */
const KEPT_BYTES = 4_096;

/** How much of a body is read and discarded so that its connection can be reused. A longer body closes the connection. */
const READ_BYTES = 65_536;

/** The most chunks of a body that are read. A receiver may send one byte per chunk. */
const READ_PIECES = 1_000;

/** Timers use signed 32-bit integers; a longer limit would end at once. */
const LONGEST_TIMER: Millis = 2_147_483_647;

export interface DeliveryTerms {
  readonly secure: boolean;
  readonly timeout: Millis;
  readonly now: () => Millis;
}

/** One attempt in progress. Undici reports to it, and it concludes exactly once. */
export class CallbackAttempt implements Dispatcher.DispatchHandler {
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

  constructor(terms: DeliveryTerms, conclude: (delivered: Delivered) => void) {
    this.#terms = terms;
    this.#conclude = conclude;
    this.#begunAt = terms.now();
    this.#timer = setTimeout(expireSoon, Math.min(terms.timeout, LONGEST_TIMER), this);
  }

  /** The last chance before the request is written: an attempt that is over must not be sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#concluded) controller.abort(OVER);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status;
    this.#answeredAt = this.#terms.now();
    const location = headers["location"];
    this.#location = Array.isArray(location) ? location[0] : location;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#read += chunk.length;
    // Copied, because the chunk is a view that would keep a whole packet in memory.
    if (this.#kept.length < KEPT_BYTES)
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, KEPT_BYTES - this.#kept.length)]);
    this.#pieces += 1;
    if (this.#read > READ_BYTES || this.#pieces > READ_PIECES) this.#stop(this.#answer());
  }

  onResponseEnd(): void {
    // Runs after undici has freed the connection, so that a callback sent because of this response can reuse it.
    queueMicrotask(() => setImmediate(finishAnswered, this));
  }

  onResponseError(_: Dispatcher.DispatchController, failure: Error): void {
    const progress = { secure: this.#terms.secure, sent: this.#controller !== undefined };
    this.#finish(this.#answerOr(outcomeOfFailure(failure, progress)));
  }

  finishAnswered(): void {
    this.#finish(this.#answer());
  }

  /** Called when the time limit has passed. */
  expire(): void {
    this.#stop(this.#answerOr({ kind: "timed_out" }));
  }

  /** Called when the sandbox no longer needs the result. */
  abandon(): void {
    this.#stop(this.#answerOr({ kind: "abandoned" }));
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

  /** Once the status line has arrived, the outcome is an answer, however the body ends. */
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

function finishAnswered(delivery: CallbackAttempt): void {
  delivery.finishAnswered();
}

/** A response may have arrived while this process was busy, so data in the socket is read first. */
function expireSoon(delivery: CallbackAttempt): void {
  setImmediate(() => delivery.expire());
}

/** Drops a character that the limit cuts in two. */
function decodeBody(kept: Buffer, read: number): string {
  if (kept.length === 0) return "";
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(kept, { stream: read > kept.length });
}

/** How far the attempt got before it failed. */
interface Progress {
  readonly secure: boolean;
  /** Whether the connection was established, including TLS, and the request was being written. */
  readonly sent: boolean;
}

/** Converts a failure of the connection, of TLS or of HTTP to an outcome. */
function outcomeOfFailure(failure: Error, progress: Progress): CallbackOutcome {
  if (failure instanceof EgressRefused) return { kind: "blocked", reason: failure.message };
  const code = codeOf(failure);
  const plain = PLAIN_OUTCOMES.get(code);
  if (plain !== undefined) return plain;
  if (UNSENDABLE.has(code)) return { kind: "blocked", reason: failure.message };
  if (UNREACHABLE.has(code)) return { kind: "refused", reason: code };
  if (isTls(code, progress))
    return { kind: "tls", reason: code === "" ? failure.message : `${code}: ${messageOf(failure)}` };
  return { kind: "reset", reason: failure.message };
}

/** Error codes of the operating system and of undici with an unambiguous outcome. */
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

/** Error codes for requests that undici refuses to write. */
const UNSENDABLE: ReadonlySet<string> = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);

/** Certificates are refused before anything is sent, with many codes. TLS alerts may come later, with OpenSSL's codes. */
function isTls(code: string, { secure, sent }: Progress): boolean {
  return secure && (!sent || code === "EPROTO" || /^ERR_(SSL|TLS|OSSL)/.test(code));
}

function codeOf(failure: Error): string {
  return "code" in failure && typeof failure.code === "string" ? failure.code : "";
}
