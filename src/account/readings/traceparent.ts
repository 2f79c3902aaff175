import { isRequestEvent } from "../event-guards.ts";
import type { AccountEvent } from "../events.ts";
import type { AccountState } from "../state.ts";

/** Where an event's request stands in its client's trace; an event of a transaction has that of the request it began with. */
export function traceparentOf(event: AccountEvent, { transactions }: AccountState): string | undefined {
  if (isRequestEvent(event)) return event.traits?.traceparent;
  return "requestId" in event ? transactions.get(event.requestId)?.accepted.traits?.traceparent : undefined;
}
