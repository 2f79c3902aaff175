/** Nothing that is public says it, so Kredo's value is a choice. */
export const CHOICE = { source: "neither the specification nor a public page says it", date: "2026-11-24" } as const;

/** Statum's documentation pages, and its SDKs for PHP (1.0.4) and Java (1.0.3). */
export const PUBLIC = { source: "Statum's public pages and SDKs", date: "2026-11-24" } as const;

/** Nine exchanges with the live gateway, kept in a public repository. */
export const LIVE = { source: "nine exchanges with the live gateway", date: "2025-10-21" } as const;

/** For what single exchanges do not show. */
export function notInOneExchange(): undefined {
  return undefined;
}
