import { settingsInForce } from "../account/state.ts";
import { formatInstant } from "../domain/time.ts";
import type { RunningAccount } from "../engine/account.ts";
import type { World } from "../engine/world.ts";
import { type BasicCredentials, describeMistake, readCredentials, Unauthenticated } from "./credentials.ts";
import { isSameSecret } from "./same-secret.ts";

export interface AuthDependencies {
  readonly world: World;
  /** Opens an account for a new key that matches `auto_accounts`; returns undefined for any other key. */
  readonly openUnknown: (consumerKey: string) => Promise<RunningAccount | undefined> | undefined;
  /** Returns whether `openUnknown` would open an account. */
  readonly opensFor: (consumerKey: string) => boolean;
  /** Rejects with `NotTheOwner` if another process owns the account: it may have moved there while the request was being read. */
  readonly expectNotElsewhere?: (consumerKey: string) => Promise<undefined>;
  /** Says why it would not although it could; undefined otherwise. */
  readonly reasonNotOpened: (consumerKey: string) => string | undefined;
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
  throw new Unauthenticated(
    "the consumer key is known, the secret is wrong",
    describeRotation(account, secret) ?? describeMistake(secret),
  );
}

/** Opens the account of a key that is not known yet. Rejects with `Unauthenticated` if `auto_accounts` does not match it. */
export async function openUnknownAccount(
  authorization: string | undefined,
  dependencies: AuthDependencies,
): Promise<RunningAccount> {
  const credentials = readCredentials(authorization);
  const { key } = credentials;
  // An account that moves between processes may have come back.
  const { openUnknown, expectNotElsewhere } = dependencies;
  const opened = (await (openUnknown(key) ?? expectNotElsewhere?.(key))) ?? authenticate(authorization, dependencies);
  if (opened !== undefined) return opened;
  const reason = dependencies.reasonNotOpened(key) ?? describeMistake(key) ?? swapped(credentials, dependencies);
  throw new Unauthenticated("no account has this consumer key", reason);
}

/** Says so if the two are those of an account in the other order. */
function swapped({ key, secret }: BasicCredentials, { world }: AuthDependencies): string | undefined {
  const account = world.find(secret);
  return account !== undefined && hasSecret(account, key) ? "key and secret are swapped" : undefined;
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
  const { consumer_secret: expected, any_secret: takesAny } = settingsInForce(state);
  return takesAny || isSameSecret(expected, presented);
}

/** Says so if a secret was right until another one replaced it. */
function describeRotation({ state }: RunningAccount, presented: string): string | undefined {
  const former = state.formerSecrets?.find(({ secret }) => secret === undefined || isSameSecret(secret, presented));
  return former && `it is an old one, which was replaced at ${formatInstant(former.at)}`;
}

/** Throws `Unauthenticated` while a scenario has revoked the account's credentials. */
export function refuseRevoked(account: RunningAccount): RunningAccount {
  const { revokedBy } = settingsInForce(account.state);
  if (revokedBy === undefined) return account;
  throw new Unauthenticated(`the scenario ${revokedBy} has revoked these credentials`);
}

/** Returns the consumer key in a header, whether or not an account has it. */
export function claimedKey(authorization: string | undefined): string | undefined {
  try {
    return readCredentials(authorization).key;
  } catch {
    return undefined;
  }
}
