import { hash, timingSafeEqual } from "node:crypto";
import type { Secrets } from "../ports/secrets.ts";

/** Digests of expected secrets that are kept; far more than a sandbox has accounts. */
const KEPT = 10_000;

/** Compares SHA-256 digests in constant time; those of the expected secrets are made once. */
export function digestSecrets(): Secrets {
  const digests = new Map<string, Buffer>();
  const digestOf = (expected: string): Buffer => {
    const known = digests.get(expected);
    if (known !== undefined) return known;
    if (digests.size >= KEPT) digests.clear();
    const digest = hash("sha256", expected, "buffer");
    digests.set(expected, digest);
    return digest;
  };
  return { isSame: (expected, presented) => timingSafeEqual(digestOf(expected), hash("sha256", presented, "buffer")) };
}
