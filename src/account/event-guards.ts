// Apart from the schemas in events.ts, so that the dashboard bundles these without zod.
import type { AccountEvent, Opened, RequestEvent } from "./events.ts";
import type { Snapshot } from "./snapshot-event.ts";

/** Whether the account begins with this event, so that everything before it no longer counts. */
export function isBeginning(event: AccountEvent): event is Opened | Snapshot {
  return event.kind === "opened" || event.kind === "snapshot";
}

export function isRequestEvent(event: AccountEvent): event is RequestEvent {
  return event.kind === "accepted" || event.kind === "refused" || event.kind === "queried" || event.kind === "cut";
}
