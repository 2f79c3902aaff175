import type { CallbackOutcome } from "../../domain/callback-outcome.ts";
import { EgressRefused } from "./egress.ts";
import { BrokenOff } from "./spoil-body.ts";

/** Where the try stood when it failed. */
export interface Progress {
  readonly secure: boolean;
  /** The connection stood, TLS included, and the request was being written. */
  readonly sent: boolean;
}

/** What a failure of the connection, of TLS or of HTTP comes down to. */
export function outcomeOfFailure(failure: Error, progress: Progress): CallbackOutcome {
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
