// Apart from the schemas in events.ts, which a start need not load, and without which the dashboard is bundled.
import { type Millis, SECOND } from "../domain/time.ts";
import type { Opened, RequestEvent } from "./events.ts";
import type { Snapshot, AccountEvent } from "./account-event.ts";

/** Whether the account begins with this event, so that everything before it no longer counts. */
export function isBeginning(event: AccountEvent): event is Opened | Snapshot {
  return event.kind === "opened" || event.kind === "snapshot";
}

export function isRequestEvent(event: AccountEvent): event is RequestEvent {
  return event.kind === "accepted" || event.kind === "refused" || event.kind === "queried" || event.kind === "cut";
}

/** Wall time after which a client that still waits for an answer has no limit: those of common HTTP clients end at 30 s. */
export const CLIENT_PATIENCE: Millis = 32 * SECOND;
