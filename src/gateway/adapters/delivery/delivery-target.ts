import { findWrongHeader } from "../../domain/headers.ts";

/** The destination of a callback, in undici's terms. */
export interface DeliveryTarget {
  readonly origin: string;
  /** Path and query, exactly as in the URL. */
  readonly path: string;
  readonly secure: boolean;
  /** The Authorization header from the URL's user name and password. */
  readonly authorization: string | undefined;
}

/** Why something cannot be sent. */
export interface Unusable {
  readonly unusable: string;
}

/** Parses a callback URL. */
export function parseTarget(url: string): DeliveryTarget | Unusable {
  if (!URL.canParse(url)) return { unusable: "it is not a URL; register one that starts with http:// or https://" };
  const { origin, protocol, href, username, password } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") {
    return {
      unusable: `${protocol} is not a protocol that callbacks use; register a URL that starts with http:// or https://`,
    };
  }
  return {
    origin,
    path: cutPath(href, protocol),
    secure: protocol === "https:",
    authorization: username === "" && password === "" ? undefined : encodeBasic(username, password),
  };
}

/** Cut from the whole URL, because `search` drops a lone question mark. */
function cutPath(href: string, protocol: string): string {
  const fragment = href.indexOf("#");
  return href.slice(href.indexOf("/", protocol.length + 2), fragment === -1 ? href.length : fragment);
}

function encodeBasic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decodePart(username)}:${decodePart(password)}`).toString("base64")}`;
}

function decodePart(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A bare percent sign is allowed in a URL and stands for itself.
    return encoded;
  }
}

/** Returns the headers to send. Checked here, because undici would leak a connection slot for each request that it refuses. */
export function composeHeaders(
  given: Readonly<Record<string, string>>,
  authorization: string | undefined,
): { readonly headers: Record<string, string> } | Unusable {
  const headers: Record<string, string> = {};
  let own = authorization;
  for (const name of Object.keys(given)) {
    const value = given[name] ?? "";
    const [wrong] = findWrongHeader(name, value);
    if (wrong !== undefined)
      return { unusable: `the header ${JSON.stringify(name)} cannot be sent: it ${wrong.problem}; ${wrong.repair}` };
    if (name.toLowerCase() === AUTHORIZATION) own = undefined;
    headers[name] = value;
  }
  if (own !== undefined) headers[AUTHORIZATION] = own;
  return { headers };
}

const AUTHORIZATION = "authorization";
