import type { AccountEvent } from "../account/events.ts";
import type { RateLimit } from "../domain/settings.ts";
import type { Exchange, Severity } from "./finding.ts";
import type { SentOrders } from "./sent-orders.ts";

/** Looks for one thing in the events of one account. */
export interface Detector {
  /** In kebab-case, as a rehearsal names it. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly mend: string;
  readonly assumes: string;
  /** The events that its watch looks at, and no others come to it; all of them where nothing is said. A beginning comes always. */
  readonly kinds?: readonly AccountEvent["kind"][];
  /** Begins to watch an account: its first event is `opened`, or the `snapshot` of a journal that another account takes over. */
  readonly watch: (settings: WatchSettings, shared: Shared) => Watch;
}

/** What several detectors of one account remember, so that it is remembered once. */
export interface Shared {
  readonly orders: SentOrders;
}

/** What is remembered of the events so far, in bounded space, and what the next one shows. */
export type Watch = (event: AccountEvent) => readonly Sighting[];

/** What most events show. */
export const NOTHING: readonly Sighting[] = [];

/** One time that a detector saw what it looks for. Sightings of the same subject make one finding. */
export interface Sighting {
  readonly subject: string;
  readonly seen: string;
  readonly exchanges: readonly Exchange[];
}

/** What detectors need to know beside the events. */
export interface WatchSettings {
  /** More requests than that in so many milliseconds are a burst. The gateway's document states no limit (section 8). */
  readonly burst?: RateLimit;
}
