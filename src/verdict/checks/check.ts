import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import type { RateLimit } from "../../gateway/settings/account-settings.ts";
import type { Check, ExchangeReference } from "./finding.ts";

/** Watches one thing in the events of one account, on behalf of one or several checks. */
export interface Watcher {
  readonly checks: readonly Check[];
  /** The events that `watch` receives. */
  readonly kinds: readonly AccountEvent["kind"][];
  readonly watch: (settings: WatchSettings, aftermaths: Aftermaths) => Watch;
}

/** Processes the next event, which `aftermaths` contains already, and returns what it shows. Remembers earlier events in bounded space. */
export type Watch = (event: AccountEvent) => readonly Observation[];

export const NO_OBSERVATIONS: readonly Observation[] = [];

/** One occurrence of a problem. Observations of one check with the same subject are one finding. */
export interface Observation {
  readonly id: string;
  readonly subject: string;
  readonly seen: string;
  readonly exchanges: readonly ExchangeReference[];
  /** What was observed before of the same and no longer holds. */
  readonly replaces?: Observation;
}

export interface WatchSettings {
  /** The number of requests per period above which they are a burst. The gateway's document states no limit (section 8). */
  readonly burst?: RateLimit;
}
