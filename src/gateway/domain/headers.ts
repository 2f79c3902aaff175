const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/; // RFC 9110 section 5.6.2
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/; // RFC 9110 section 5.5

/** Headers that concern a single connection (RFC 9110 section 7.6.1). */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that frame a message, name its host or concern one connection. Node or undici writes them, or refuses to. */
export const FRAMING: ReadonlySet<string> = new Set([...HOP_BY_HOP, "content-length", "expect", "host"]);

/** Finds why a header cannot be added to a message. Says it as parts of a sentence, with the repair. */
export function findWrongHeader(name: string, value: string): readonly { problem: string; repair: string }[] {
  if (!TOKEN.test(name)) return [{ problem: "is not a header's name", repair: "write a name such as X-Token" }];
  if (FRAMING.has(name.toLowerCase())) return [{ problem: "is written by the sandbox itself", repair: "remove it" }];
  // Clients unpack what they receive (RFC 9110, section 8.4), so nobody could read the body.
  if (name.toLowerCase() === "content-encoding" && value.trim().toLowerCase() !== "identity") return [PACKED];
  return FIELD_VALUE.test(value) ? [] : [BAD_VALUE];
}

const PACKED = { problem: "is for packed bodies, and this one is sent as it is written", repair: "remove it" };

const BAD_VALUE = {
  problem: "has characters that are not allowed in a header",
  repair: "write one line of Latin-1 characters",
};
