import type { LogEntry } from "./log-entry.ts";

/** Why a client's TLS connection came to nothing, by the code that OpenSSL gave it. */
export function explainTlsFailure(code: string): LogEntry {
  const why = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? "its TLS handshake failed";
  return { level: "warn", event: "tls", text: `https     a client left: ${why} (${code})`, fields: () => ({ code, explanation: why }) };
}

const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)/, "it does not trust the certificate; give it the CA's, as at /ca.pem"],
  [/HTTP_REQUEST|WRONG_VERSION_NUMBER/, "it does not speak TLS; call this port by https://"],
  [/UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER/, "it speaks no TLS that is safe; 1.2 is the oldest here"],
];
