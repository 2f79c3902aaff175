import type { AccountEvent } from "../account/account-event.ts";
import type { RateLimit } from "../settings/account.ts";
import type { Exchange, Severity } from "./finding.ts";
import type { SentOrders } from "./sent-orders.ts";

/** CredentialChecks for one problem in the events of one account. */
export interface Detector {
  /** In kebab-case, as rehearsals and settings name it. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly repair: string;
  readonly assumes: string;
  /** The events that its watch gets; all of them if not given. `opened` and `snapshot` always come. */
  readonly kinds?: readonly AccountEvent["kind"][];
  /** Starts watching an account. The first event is `opened`, or the `snapshot` of a journal that was imported. */
  readonly watch: (settings: WatchSettings, shared: SharedState) => Watch;
}

/** What several detectors of one account remember, kept once. */
export interface SharedState {
  readonly orders: SentOrders;
}

/** Takes the next event and returns what it shows. Remembers earlier events in bounded space. */
export type Watch = (event: AccountEvent) => readonly Observation[];

/** What most events show. */
export const NOTHING: readonly Observation[] = [];

/** One time that a detector saw its problem. Observations of the same subject make one finding. */
export interface Observation {
  readonly subject: string;
  readonly seen: string;
  readonly exchanges: readonly Exchange[];
}

/** What detectors need to know besides the events. */
export interface WatchSettings {
  /** More requests in this period are a burst. The gateway's document states no limit (section 8). */
  readonly burst?: RateLimit;
}
