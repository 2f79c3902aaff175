/** Nothing that is public says it, so Kredo's value is a choice. */
export const CHOICE = { source: "guess", date: "2026-11-24" } as const;

/** Statum's documentation pages, and its SDKs for PHP (1.0.4) and Java (1.0.3). */
export const PUBLIC = { source: "known: public pages and SDKs", date: "2026-11-24" } as const;

/** One of the nine exchanges with the live gateway that a public repository keeps, or some of them. */
export function observed(times: string, date: string): { readonly source: string; readonly date: string } {
  return { source: `observed ${times}`, date };
}

/** For what single exchanges do not show. */
export function notInOneExchange(): undefined {
  return undefined;
}
