// Separate from the schemas in events.ts, which are not needed at startup or in the dashboard's bundle.
import { type Millis, SECOND } from "../domain/time.ts";
import type { AppliedRules } from "../scenario/effects/applied-rules.ts";
import type { Opened, RequestEvent, TransactionEvent } from "./events.ts";
import type { Snapshot, AccountEvent } from "./account-event.ts";

/** Returns whether the account starts over with this event, so that all earlier events no longer count. */
export function isBeginning(event: AccountEvent): event is Opened | Snapshot {
  return event.kind === "opened" || event.kind === "snapshot";
}

export function isRequestEvent(event: AccountEvent): event is RequestEvent {
  return event.kind === "accepted" || event.kind === "refused" || event.kind === "queried" || event.kind === "cut";
}

/** Returns whether the event is about one accepted request. */
export function isTransactionEvent(event: AccountEvent): event is TransactionEvent {
  return TRANSACTION_EVENTS.has(event.kind);
}

const TRANSACTION_EVENTS: ReadonlySet<AccountEvent["kind"]> = new Set([
  "accepted",
  "client-left",
  "settled",
  "reversed",
  "attempt-begun",
  "attempted",
  "copied",
  "resend-requested",
]);

/** A question for account details, which names no order. */
export function isDetailsRequest(event: RequestEvent): boolean {
  if (event.kind === "refused") return event.operation === "account-details";
  return event.kind === "queried" || (event.kind === "cut" && event.order === undefined);
}

/** Returns whether a scenario never sends the response of a request. Its client has to give up. */
export function isHanging({ breakage }: Partial<AppliedRules> = {}): boolean {
  return breakage === "hang";
}

/** Returns whether a scenario sends the response of a request late. */
export function isDelayed({ ack, breakage }: Partial<AppliedRules> = {}): boolean {
  return (ack?.delay ?? 0) > 0 || breakage === "drip";
}

/** Wall time after which a waiting client is assumed to have no timeout: those of common HTTP clients end at 30 s. */
export const CLIENT_PATIENCE: Millis = 32 * SECOND;
