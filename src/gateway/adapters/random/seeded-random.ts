import crypto, { randomInt, randomUUID } from "node:crypto";
import { type Draws, mix32, type Random } from "../../domain/draws.ts";
import type { AccountSettings } from "../../settings/account-settings.ts";

/** The largest range that `randomInt` accepts, far below the largest safe integer. */
const SEEDS = 2 ** 48 - 1;

/** Randomness by label, derived from the label's SHA-256. */
export function seededRandom(): Random {
  return { digest: (label) => new Digest(label), freshSeed: () => randomInt(SEEDS), freshId: () => randomUUID() };
}

/** Created for every request, so nothing is formatted or mixed before it is needed. */
class Digest implements Draws {
  /** The 32 bytes as a binary string, measured to be the cheapest output of `hash` (0.6 µs; a Buffer takes at least twice that). */
  readonly #bytes: string;

  constructor(label: string) {
    this.#bytes = crypto.hash("sha256", label, "binary");
  }

  /** Returns the first 16 bytes, with the version and variant bits of RFC 9562 §5.4. */
  uuid(): string {
    for (let index = 0; index < 16; index += 1) this.#write(index, this.#byte(index));
    this.#write(6, (this.#byte(6) & 0x0f) | 0x40);
    this.#write(8, (this.#byte(8) & 0x3f) | 0x80);
    return UUID.toString("latin1");
  }

  /** Combines 53 bits from the last 16 bytes, which no UUID reveals, with the purpose. */
  draw(purpose: string): number {
    const first = mix32(mix32(this.#word(16) ^ hash32(purpose)) + this.#word(20));
    const second = mix32(mix32(first ^ this.#word(24)) + this.#word(28));
    return ((first >>> 0) * 2 ** 21 + (second >>> 11)) / 2 ** 53;
  }

  #byte(index: number): number {
    return this.#bytes.charCodeAt(index);
  }

  #write(index: number, byte: number): void {
    const place = index * 2 + (HYPHENS_BEFORE[index] ?? 0);
    UUID[place] = HEX.charCodeAt(byte >> 4);
    UUID[place + 1] = HEX.charCodeAt(byte & 0x0f);
  }

  #word(index: number): number {
    return (
      this.#byte(index) | (this.#byte(index + 1) << 8) | (this.#byte(index + 2) << 16) | (this.#byte(index + 3) << 24)
    );
  }
}

const HEX = "0123456789abcdef";

/** Reused for every id: a UUID concatenated from pieces stays in pieces, which V8 stores at ten times the size. */
const UUID = Buffer.alloc(36, "-");
const HYPHENS_BEFORE = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4];

/** FNV-1a over UTF-16 units. Cheap is enough, because purposes are a few short words. */
function hash32(text: string): number {
  let hashed = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hashed = Math.imul(hashed ^ text.charCodeAt(index), 0x01000193);
  return mix32(hashed);
}

type Credentials = Pick<AccountSettings, "consumer_key" | "consumer_secret">;

/**
 * Generates a consumer key and secret for an account that was created without them. They come from the system's entropy, with the 122
 * random bits of a UUID each. With a label, they are always the same for that label, as a seeded run needs.
 */
export function inventCredentials(random: Random, label?: string): Credentials {
  if (label === undefined) return credentialsOf(random.freshId(), random.freshId());
  return credentialsOf(random.digest(`${label} consumer key`).uuid(), random.digest(`${label} consumer secret`).uuid());
}

function credentialsOf(keyId: string, secretId: string): Credentials {
  return { consumer_key: `sandbox-${keyId.replaceAll("-", "")}`, consumer_secret: secretId.replaceAll("-", "") };
}

/** A letter and five hexadecimal digits, like the public example B9E573. The same label always gives the same code. */
export function inventTopUpCode(random: Random, label: string): string {
  const draws = random.digest(`${label} top-up code`);
  const letter = String.fromCharCode(65 + Math.floor(draws.draw("letter") * 26));
  const digits = Math.floor(draws.draw("digits") * 16 ** 5);
  return letter + digits.toString(16).toUpperCase().padStart(5, "0");
}
