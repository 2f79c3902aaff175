import { parseAccept } from "hono/utils/accept";

/**
 * Returns what a client prefers of the media types, or the codings, that a resource has. The first one is the default, for clients that
 * take anything or nothing of it (RFC 9110 sections 12.4.2 and 12.5.1).
 */
export function negotiate(header: string | null | undefined, offered: readonly [string, ...string[]]): string {
  const ranges = parseAccept(header ?? "").map(({ type, q }) => ({ range: type.toLowerCase(), q }));
  const refused = ranges.filter(({ q }) => q === 0).map(({ range }) => range);
  const wanted = ranges
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q || wildcards(one.range) - wildcards(other.range));
  const left = offered.filter((type) => !refused.includes(type));
  const found = wanted.map(({ range }) => left.find((type) => includes(range, type)));
  return found.find((type) => type !== undefined) ?? offered[0];
}

/** A more specific range comes first. */
function wildcards(range: string): number {
  return range.split("*").length;
}

function includes(range: string, type: string): boolean {
  if (range === "*" || range === "*/*") return true;
  return range.endsWith("/*") ? type.startsWith(range.slice(0, -1)) : range === type;
}
