import type { RequestEvent } from "../account/events.ts";
import type { Instant } from "../domain/time.ts";

/** When a request came, in wall time: a client's own timers follow that, whatever the account's clock does. */
export function sentAt({ manner, at }: RequestEvent): Instant {
  return manner?.wallAt ?? at;
}
