import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import type { RequestEvent } from "../../../src/gateway/account/events.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";

/** Resolves to the next event of a kind, or of any kind of request. */
export function nextEvent(account: RunningAccount, kind: AccountEvent["kind"] | "request"): Promise<AccountEvent> {
  const fits = (event: AccountEvent): boolean => (kind === "request" ? isRequestEvent(event) : event.kind === kind);
  return new Promise((resolve) => account.journal.observe((event) => void (fits(event) && resolve(event))));
}

/** Resolves once an account has had a request. */
export async function requestCame(account: RunningAccount): Promise<void> {
  if (account.state.requests === 0) await nextEvent(account, "request");
}

export function lastRequest(account: RunningAccount): RequestEvent {
  const event = account.journal.read().events.findLast(isRequestEvent);
  if (event === undefined) throw new Error("no request was recorded");
  return event;
}

export function kindsOf(account: RunningAccount): string[] {
  return account.journal.read().events.map(({ kind }) => kind);
}
