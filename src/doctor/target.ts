/** The parts of a callback URL. */
export interface Target {
  readonly url: string;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Parses a URL that is known to be http or https. */
export function readTarget(url: string): Target {
  const { hostname, port, protocol } = new URL(url);
  const secure = protocol === "https:";
  return { url, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (secure ? 443 : 80)), secure };
}

/** Returns the target's URL with another host, without credentials and query, for a repair message. */
export function moveTo(host: string, { url }: Target): string {
  const moved = new URL(url);
  moved.host = `${host.includes(":") ? `[${host}]` : host}${moved.port === "" ? "" : `:${moved.port}`}`;
  return `${moved.origin}${moved.pathname}`;
}

/** Returns whether an address belongs to this machine or container. The unspecified addresses connect there, too. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^(?:::|::1|0\.0\.0\.0)$/.test(address);
}
