import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { RateLimit } from "../../gateway/settings/account.ts";
import type { Exchange, Severity } from "./finding.ts";
import type { SentOrders } from "./sent-orders.ts";

/** Looks for one problem in the events of one account. */
export interface Detector {
  /** In kebab-case; used in rehearsals and settings. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly repair: string;
  readonly assumes: string;
  /** The events that `watch` receives. Defaults to all of them. `opened` and `snapshot` are always included. */
  readonly kinds?: readonly AccountEvent["kind"][];
  /** Starts watching an account. The first event is `opened`, or the `snapshot` of an imported journal. */
  readonly watch: (settings: WatchSettings, shared: SharedState) => Watch;
}

/** State that several detectors of one account share. */
export interface SharedState {
  readonly orders: SentOrders;
}

/** Processes the next event and returns what it shows. Remembers earlier events in bounded space. */
export type Watch = (event: AccountEvent) => readonly Observation[];

/** The result for most events. */
export const NOTHING: readonly Observation[] = [];

/** One occurrence of a detector's problem. Observations with the same subject are one finding. */
export interface Observation {
  readonly subject: string;
  readonly seen: string;
  readonly exchanges: readonly Exchange[];
}

/** Settings that detectors need besides the events. */
export interface WatchSettings {
  /** The number of requests per period above which they are a burst. The gateway's document states no limit (section 8). */
  readonly burst?: RateLimit;
}
