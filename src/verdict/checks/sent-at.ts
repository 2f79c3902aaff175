import type { RequestEvent } from "../../gateway/account/events.ts";
import type { Instant } from "../../gateway/domain/time.ts";

/** Returns when a request arrived in wall time. A client's timers follow wall time, whatever the account's clock does. */
export function sentAt({ traits, at }: RequestEvent): Instant {
  return traits?.wallAt ?? at;
}
