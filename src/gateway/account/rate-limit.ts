import { Refused, retryLater } from "../domain/refusal.ts";
import type { RateLimit } from "../settings/account-settings.ts";
import { formatDuration, type Instant } from "../domain/time.ts";
import type { RequestEvent } from "./events.ts";
import { type AccountState, settingsInForce } from "./state.ts";
import { counted } from "../domain/counted.ts";

/** Throws `Refused` 429 if the current window is full. A window begins with its first request. */
export function checkRateLimit(state: AccountState, at: Instant): void {
  const limit = settingsInForce(state).rate_limit;
  if (limit === undefined) return;
  const window = windowAt(state, limit, at);
  if (window.requests < limit.requests) return;
  throw new Refused(429, {
    ...retryLater(window.from + limit.per, at),
    hint: `${counted(limit.requests, "request is", "requests are")} allowed in ${formatDuration(limit.per)} on this account's clock`,
  });
}

/** Counts a request, unless it was refused before the rate limit, or by it. */
export function countForRateLimit(state: AccountState, event: RequestEvent): void {
  const limit = settingsInForce(state).rate_limit;
  if (limit === undefined || (event.kind === "refused" && UNCOUNTED.has(event.code))) return;
  const window = windowAt(state, limit, event.at);
  state.window = { ...window, requests: window.requests + 1 };
}

/** Returns the window that a request at this moment belongs to. The limit of another scenario begins with a window of its own. */
function windowAt(state: AccountState, limit: RateLimit, at: Instant): AccountState["window"] {
  const { window } = state;
  const { limitedBy: by } = settingsInForce(state);
  if (window.by === by && window.requests > 0 && at < window.from + limit.per) return window;
  return { ...(by !== undefined && { by }), from: at, requests: 0 };
}

const UNCOUNTED = new Set([401, 404, 405, 413, 429]);
