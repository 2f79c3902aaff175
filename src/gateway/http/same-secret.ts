import crypto, { timingSafeEqual } from "node:crypto";

/** The most cached digests; far more than a sandbox has accounts. */
const KEPT = 10_000;
/** The longest text whose digest is cached. */
const LONGEST = 256;

/** Compares SHA-256 digests in constant time. Digests are cached, because a client sends the same secret with every request. */
export function isSameSecret(expected: string, presented: string): boolean {
  return timingSafeEqual(digestOf(expected), digestOf(presented));
}

const digests = new Map<string, Buffer>();

function digestOf(text: string): Buffer {
  const known = digests.get(text);
  if (known !== undefined) return known;
  if (digests.size >= KEPT) digests.clear();
  const digest = crypto.hash("sha256", text, "buffer");
  if (text.length <= LONGEST) digests.set(text, digest);
  return digest;
}
