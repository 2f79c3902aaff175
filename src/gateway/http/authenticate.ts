import { isSameSecret } from "./same-secret.ts";
import { inForce } from "../account/state.ts";
import type { RunningAccount } from "../engine/account.ts";
import type { World } from "../engine/world.ts";
import { CHALLENGE, Refused } from "../domain/refusal.ts";

export interface AuthDependencies {
  readonly world: World;
  /**
   * Opens an account for a new key that matches `auto_accounts`; returns undefined for any other key. Rejects with `NotTheOwner` if another
   * replica owns it.
   */
  readonly openUnknown: (consumerKey: string) => Promise<RunningAccount | undefined> | undefined;
  /** Returns whether `openUnknown` would open an account. */
  readonly opensFor: (consumerKey: string) => boolean;
  /** Says why it would not although it could; undefined otherwise. */
  readonly reasonNotOpened: (consumerKey: string) => string | undefined;
}

/** A 401 for missing or wrong credentials. */
class Unauthenticated extends Refused {
  constructor(hint: string) {
    super(401, { hint, headers: CHALLENGE });
  }
}

/**
 * Returns the account whose key and secret are in an Authorization header (document 5, RFC 7617); undefined if there is no account with this
 * key. Throws `Unauthenticated`.
 */
export function authenticate(
  authorization: string | undefined,
  { world }: AuthDependencies,
): RunningAccount | undefined {
  const { key, secret } = readCredentials(authorization);
  const account = world.find(key);
  if (account === undefined || hasSecret(account, secret)) return account && refuseRevoked(account);
  throw new Unauthenticated(`the consumer key is known, the secret is wrong${newlineHint(secret)}`);
}

/** Opens the account of a key that is not known yet. Rejects with `Unauthenticated` if `auto_accounts` does not match it. */
export async function openAccount(
  authorization: string | undefined,
  dependencies: AuthDependencies,
): Promise<RunningAccount> {
  const { key, secret } = readCredentials(authorization);
  // An account that moves between processes may have come back.
  const opened = (await dependencies.openUnknown(key)) ?? authenticate(authorization, dependencies);
  if (opened !== undefined) return opened;
  const reason = dependencies.reasonNotOpened(key);
  throw new Unauthenticated(
    `no account has this consumer key${reason === undefined ? newlineHint(secret) : `: ${reason}`}`,
  );
}

/** Checks credentials before the body is read, without opening an account. */
export function hasCredentials(authorization: string | undefined, { world, opensFor }: AuthDependencies): boolean {
  try {
    const { key, secret } = readCredentials(authorization);
    const account = world.find(key);
    return account === undefined ? opensFor(key) : hasSecret(account, secret);
  } catch {
    return false;
  }
}

function hasSecret({ state }: RunningAccount, presented: string): boolean {
  const { consumer_secret: expected, any_secret: takesAny } = state.settings;
  return takesAny || isSameSecret(expected, presented);
}

function refuseRevoked(account: RunningAccount): RunningAccount {
  const { revokedBy } = inForce(account.state);
  if (revokedBy === undefined) return account;
  throw new Unauthenticated(`the scenario ${revokedBy} has revoked these credentials`);
}

const BASIC = /^basic +([^ ]*) *$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** Caches decoded headers, because a client sends the same one with every request. */
const decoded = new Map<string, Credentials>();
/** The most cached headers. */
const KEPT = 1_000;
/** The longest header that is cached. */
const LONGEST = 1_000;

function readCredentials(authorization: string | undefined): Credentials {
  if (authorization === undefined) throw new Unauthenticated("there is no Authorization header");
  const known = decoded.get(authorization);
  if (known !== undefined) return known;
  const credentials = decodeCredentials(authorization);
  if (decoded.size >= KEPT) decoded.clear();
  if (authorization.length <= LONGEST) decoded.set(authorization, credentials);
  return credentials;
}

/** The key ends at the first colon, so a secret may contain colons (RFC 7617 section 2). */
function decodeCredentials(authorization: string): Credentials {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw new Unauthenticated("the Authorization header is not of the form Basic BASE64");
  if (!BASE64.test(encoded)) throw new Unauthenticated(notBase64(encoded));
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw new Unauthenticated("the decoded credentials have no colon between key and secret");
  return { key: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function notBase64(encoded: string): string {
  return /[-_]/.test(encoded)
    ? "the credentials are in URL-safe Base64; the standard alphabet has + and /"
    : "the credentials are not Base64";
}

function newlineHint(secret: string): string {
  return /[\r\n]$/.test(secret) ? "; the secret ends in a newline, as `echo` without -n adds one" : "";
}

/** Returns the consumer key in a header, whether or not an account has it. */
export function claimedKey(authorization: string | undefined): string | undefined {
  try {
    return readCredentials(authorization).key;
  } catch {
    return undefined;
  }
}
