import type { Account } from "../engine/account.ts";
import type { World } from "../engine/world.ts";
import { Refused } from "../domain/refusal.ts";
import type { Secrets } from "../ports/secrets.ts";

export interface Doorkeeper {
  readonly world: World;
  readonly secrets: Secrets;
  /** Makes an account for a new key that `auto_accounts` matches; undefined for any other. */
  readonly openUnknown: (consumerKey: string) => Promise<Account> | undefined;
}

/** A request that did not say who it comes from; `account` is the one whose key it named. */
export class Unauthenticated extends Refused {
  readonly account: Account | undefined;

  constructor(hint: string, account?: Account) {
    super(401, { hint, headers: { "www-authenticate": 'Basic realm="gateway", charset="UTF-8"' } });
    this.account = account;
  }
}

/** The account whose key and secret an Authorization header carries (document 5, RFC 7617). Throws `Unauthenticated`. */
export function authenticate(authorization: string | undefined, { world, secrets, openUnknown }: Doorkeeper): Account | Promise<Account> {
  const { key, secret } = readCredentials(authorization);
  const account = world.find(key);
  if (account === undefined) {
    const opened = openUnknown(key);
    if (opened !== undefined) return opened;
    throw new Unauthenticated(`no account has this consumer key${newlineHint(secret)}`);
  }
  const { consumerSecret, anySecret } = account.state.settings;
  if (anySecret || secrets.isSame(consumerSecret, secret)) return account;
  throw new Unauthenticated(`the consumer key is known, the secret is wrong${newlineHint(secret)}`, account);
}

const BASIC = /^basic +([^ ]*) *$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The key ends at the first colon, so a secret may contain colons (RFC 7617 section 2). */
function readCredentials(authorization: string | undefined): { key: string; secret: string } {
  if (authorization === undefined) throw new Unauthenticated("there is no Authorization header");
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw new Unauthenticated("the Authorization header is not of the form Basic BASE64");
  if (!BASE64.test(encoded)) throw new Unauthenticated(notBase64(encoded));
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 0) throw new Unauthenticated("the decoded credentials have no colon between key and secret");
  return { key: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

function notBase64(encoded: string): string {
  return /[-_]/.test(encoded)
    ? "the credentials are in URL-safe Base64; the standard alphabet has + and /"
    : "the credentials are not Base64";
}

function newlineHint(secret: string): string {
  return /[\r\n]$/.test(secret) ? "; the secret ends in a newline, as `echo` without -n adds one" : "";
}

/** The account whose key a header names, whether or not the secret is right. */
export function claimedAccount(authorization: string | undefined, world: World): Account | undefined {
  try {
    return world.find(readCredentials(authorization).key);
  } catch {
    return undefined;
  }
}
