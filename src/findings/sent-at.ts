import type { RequestEvent } from "../account/events.ts";
import type { Instant } from "../domain/time.ts";

/** When a request arrived, in wall time: a client's timers follow it, whatever the account's clock does. */
export function sentAt({ traits, at }: RequestEvent): Instant {
  return traits?.wallAt ?? at;
}
