import type { AccountOptions } from "../testing/options.ts";

/** This machine, as its containers call it: Docker Desktop and Podman know the name, Docker on Linux by `host-gateway`. */
export const HOST_NAME = "host.docker.internal";

/** The URL by which a container reaches what `localhost` means on this machine; any other URL as it is. */
export function seenFromInside(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (!LOOPBACK.test(parsed.hostname)) return url;
  parsed.hostname = HOST_NAME;
  return parsed.href;
}

/** RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3; and what a server says that listens everywhere. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** An account whose receivers on this machine are within reach. */
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
