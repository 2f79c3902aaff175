/** Where the value of a guess is from. */
export interface Source {
  /** How sure it is. Absent where nothing public supports it, so that it is a choice. */
  readonly certainty?: "known" | "observed" | "likely";
  /** As `docs/gateway.md` says it; of a choice, the public value beside it. */
  readonly source?: string;
  /** When the source was read, or the exchanges took place. */
  readonly date?: string;
}

/** Statum's documentation pages, and its SDKs for PHP (1.0.4) and Java (1.0.3). */
export const PUBLIC: Source = { certainty: "known", source: "public pages and SDKs", date: "2026-11-24" };

/** One of the nine exchanges with the live gateway that a public repository keeps. */
export const OBSERVED_ONCE: Source = { certainty: "observed", source: "one live exchange", date: "October 2025" };

/** What the public repositories of the gateway's owner, or the test data of an integrator, suggest. */
export function likely(source: string): Source {
  return { certainty: "likely", ...beside(source) };
}

/** A public value beside Kredo's, which stays a choice. */
export function beside(source: string): Source {
  return { source, date: "2026-11-28" };
}
