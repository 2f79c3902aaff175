/** OpenSSL's message: `4047:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/…/ssl3_record.c:354:`. */
const OPENSSL = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/;

/** Returns the message of a thrown value; of OpenSSL's, the reason alone. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return OPENSSL.exec(thrown.message)?.[1] ?? thrown.message;
}

/** Returns the stack of a thrown value, or its message if it has none. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
