import { Refused, retryLater } from "../domain/refusal.ts";
import type { RateLimit } from "../settings/account-settings.ts";
import { formatDuration, type Instant } from "../domain/time.ts";
import type { RequestEvent } from "./events.ts";
import { type AccountState, inForce } from "./state.ts";

interface Window {
  readonly from: Instant;
  readonly requests: number;
}

/** Throws `Refused` 429 if the current window is full. A window begins with its first request. */
export function checkRateLimit(state: AccountState, at: Instant): void {
  const limit = inForce(state).rate_limit;
  if (limit === undefined) return;
  const window = rateWindow(state.window, limit, at);
  if (window.requests < limit.requests) return;
  throw new Refused(429, {
    ...retryLater(window.from + limit.per, at),
    hint: `${limit.requests === 1 ? "1 request is" : `${limit.requests} requests are`} allowed in ${formatDuration(limit.per)} on this account's clock`,
  });
}

/** Returns the window that a request at this moment belongs to. */
export function rateWindow(window: Window, limit: RateLimit, at: Instant): Window {
  return at < window.from + limit.per && window.requests > 0 ? window : { from: at, requests: 0 };
}

/** Requests that were refused before the rate limit, or by it, do not count. */
export function countsForRateLimit(event: RequestEvent): boolean {
  return event.kind !== "refused" || !UNCOUNTED.has(event.code);
}

const UNCOUNTED = new Set([401, 404, 405, 413, 429]);
