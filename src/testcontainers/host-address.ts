import type { AccountOptions } from "../testing/options.ts";

/** This machine's name inside its containers: built into Docker Desktop and Podman, set by `host-gateway` for Docker on Linux. */
export const HOST_NAME = "host.docker.internal";

/** Rewrites a `localhost` URL of this machine so that a container can reach it. Returns other URLs unchanged. */
export function seenFromInside(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (!LOOPBACK.test(parsed.hostname)) return url;
  parsed.hostname = HOST_NAME;
  return parsed.href;
}

/** RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3, and the addresses that a server on all interfaces prints. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** Returns the account with callback URLs that reach receivers on this machine. */
export function withReachableCallbacks(account: AccountOptions): AccountOptions {
  const { callbacks, ...rest } = account;
  if (callbacks === undefined) return account;
  const { airtime, sms } = callbacks;
  const urls = {
    ...(airtime !== undefined && { airtime: seenFromInside(airtime) }),
    ...(sms !== undefined && { sms: seenFromInside(sms) }),
  };
  return { ...rest, callbacks: { ...callbacks, ...urls } };
}
