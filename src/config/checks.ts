// Apart from the schemas that ask these, so that a config in which nothing is wrong is read without zod.
import { quote } from "../document/describe-value.ts";
import type { Complaint } from "../document/values.ts";
import { CONSUMER_KEY } from "./defaults.ts";

/** A host's name, perhaps with `*.` before it, or an IP address. */
const HOST = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

export function isHost(text: string): boolean {
  return HOST.test(text);
}

export function isListenHost(text: string): boolean {
  return isHost(text) && !text.startsWith("*");
}

export function findHostFaults(text: string): Complaint[] {
  if (isHost(text)) return [];
  const [, inner] = /^(?:\w+:\/\/)?([a-z0-9_.-]+)(?::\d+)?(?:\/.*)?$/i.exec(text) ?? [];
  return [
    {
      problem: `${quote(text)} is not a host`,
      repair: inner === undefined ? "write a name, or *. and a name" : `write the name alone: ${inner}`,
    },
  ];
}

/** A token is never quoted in a message. */
export function findTokenFaults(token: string): Complaint[] {
  return /^[\x21-\x7e]+$/.test(token) ? [] : [{ problem: "is not a token", repair: "write visible ASCII characters without spaces" }];
}

export function isKeyPattern(text: string): boolean {
  return /^[^:\p{Cc}]+$/u.test(text);
}

export function isFilled(text: string): boolean {
  return text.trim() !== "";
}

/** A telephone number with a plus before it. */
export function isInternational(text: string): boolean {
  return /^\+\d{7,15}$/.test(text);
}

/** The control API's own word for the first account. */
const RESERVED_KEY = "default";

/** A colon ends the user-id, and control characters have no place in it (RFC 7617 §2). */
export function findKeyFaults(key: string): Complaint[] {
  const found: Complaint[] = [];
  if (key === "") found.push({ problem: "is empty", repair: "write a key or remove it" });
  if (key.includes(":"))
    found.push({
      problem: `${JSON.stringify(key)} has a colon, which ends the key in Basic authentication`,
      repair: "write it without",
    });
  if (hasControlCharacter(key)) found.push({ problem: "has a control character", repair: "write printable characters only" });
  if (key === RESERVED_KEY)
    found.push({ problem: `"${RESERVED_KEY}" is what the control API calls the first account`, repair: "write another key" });
  return found;
}

/** A secret is never quoted in a message. */
export function findSecretFaults(secret: string): Complaint[] {
  const found: Complaint[] = [];
  if (secret === "") found.push({ problem: "is empty", repair: "write a secret or remove the key" });
  if (hasControlCharacter(secret))
    found.push({ problem: "has a control character, perhaps a line end", repair: "write printable characters only" });
  return found;
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Accounts without a key, but for the first one, and accounts with the key of another. */
export function findRepeatedKeys(accounts: readonly unknown[]): Complaint[] {
  const keys = accounts.map(writtenKey);
  return keys.flatMap((key, index) => {
    const first = keys.indexOf(key);
    return [...sayMissing(key, index), ...(typeof key === "string" && first < index ? [sayTaken(key, index, first)] : [])];
  });
}

/** Nothing only where the key is missing; what is not text at all is refused elsewhere. */
function writtenKey(account: unknown, index: number): unknown {
  if (typeof account !== "object" || account === null) return null;
  if ("consumer_key" in account) return account.consumer_key;
  return index === 0 ? CONSUMER_KEY : undefined;
}

function sayMissing(key: unknown, index: number): Complaint[] {
  if (index === 0 || key !== undefined) return [];
  return [{ path: [index], problem: "needs a consumer_key", repair: "add one, because only the first account has a default" }];
}

function sayTaken(key: string, index: number, first: number): Complaint {
  return {
    path: [index, "consumer_key"],
    problem: `${JSON.stringify(key)} is the key of accounts[${first}] already`,
    repair: "write another one",
  };
}
