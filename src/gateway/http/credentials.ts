import { CHALLENGE, Refused } from "../domain/refusal.ts";

/** A 401 for missing or wrong credentials. */
export class Unauthenticated extends Refused {
  constructor(problem: string, reason?: string) {
    super(401, { hint: reason === undefined ? problem : `${problem}: ${reason}`, headers: CHALLENGE });
  }
}

export interface BasicCredentials {
  readonly key: string;
  readonly secret: string;
}

/** Caches decoded headers, because a client sends the same one with every request. */
const decoded = new Map<string, BasicCredentials>();
/** The most cached headers. */
const KEPT = 1_000;
/** The longest header that is cached. */
const LONGEST = 1_000;

/** Returns the key and the secret in an Authorization header (document 5, RFC 7617). Throws `Unauthenticated`. */
export function readCredentials(authorization: string | undefined): BasicCredentials {
  if (authorization === undefined) throw new Unauthenticated("there is no Authorization header");
  const known = decoded.get(authorization);
  if (known !== undefined) return known;
  const credentials = decodeCredentials(authorization);
  if (decoded.size >= KEPT) decoded.clear();
  if (authorization.length <= LONGEST) decoded.set(authorization, credentials);
  return credentials;
}

const BASIC = /^basic +([^ ]+) *$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;

/** The key ends at the first colon, so a secret may contain colons (RFC 7617 section 2). */
function decodeCredentials(authorization: string): BasicCredentials {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw new Unauthenticated(wrongScheme(authorization));
  if (!BASE64.test(encoded)) throw new Unauthenticated(notBase64(encoded));
  const text = decode(encoded);
  const colon = text.indexOf(":");
  if (colon < 0) throw new Unauthenticated(noColon(text));
  return { key: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function decode(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("utf8");
}

/** Base64 has no colon. */
function isPlain(credentials: string): boolean {
  return credentials.includes(":");
}

function isEncoded(text: string, alphabet: RegExp): boolean {
  return alphabet.test(text) && decode(text).includes(":");
}

const NOT_ENCODED = "the credentials are not encoded; send Basic and the Base64 of key:secret";

/** Names no other scheme than these two, because what stands in its place may be a secret. */
function wrongScheme(authorization: string): string {
  const [first = "", ...others] = authorization.trim().split(/ +/);
  if (first === "") return "the Authorization header is empty";
  if (/^(?:bearer|digest)$/i.test(first)) return `the scheme is ${first}; the gateway takes Basic`;
  if (isPlain(authorization)) return NOT_ENCODED;
  if (others.length === 0 && isEncoded(first, BASE64)) return "the word Basic is missing before the credentials";
  if (!/^basic$/i.test(first)) return "the Authorization header is not of the form Basic BASE64";
  return others.length === 0 ? "nothing follows the word Basic" : "there is a blank within the credentials";
}

function notBase64(encoded: string): string {
  if (isPlain(encoded)) return NOT_ENCODED;
  if (QUOTED.test(encoded)) return "the credentials are in quotes; send the Base64 alone";
  return isEncoded(encoded, URL_SAFE)
    ? "the credentials are in URL-safe Base64; the standard alphabet has + and /"
    : "the credentials are not Base64";
}

function noColon(text: string): string {
  return isEncoded(text.trim(), BASE64)
    ? "the credentials are encoded twice"
    : "the decoded credentials have no colon between key and secret";
}

const QUOTED = /^["'\u2018-\u201f]|["'\u2018-\u201f]$/;

/** What people send in place of a key or a secret. The first that matches is said; the text itself never is. */
const MISTAKES: readonly (readonly [form: RegExp, mistake: string])[] = [
  [/^$/, "it is empty"],
  [
    /^(?:undefined|null|none|nil|nan|\[object object\])$/i,
    "it is the word that a program writes for a variable that is not set",
  ],
  [/^(?:\$\w|\$?\{|<|%\w+%$)/, "it is a placeholder that nothing was put in for"],
  [/\0/, "it was encoded in UTF-16; encode UTF-8"],
  [QUOTED, "it is in quotes"],
  [/[\r\n]$/, "it ends in a newline, as `echo` without -n adds one"],
  [/^\s|\s$/, "it begins or ends with a blank"],
];

/** Says what is wrong with a key or a secret in itself. */
export function describeMistake(text: string): string | undefined {
  return MISTAKES.find(([form]) => form.test(text))?.[1];
}
