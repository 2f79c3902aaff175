import type * as z from "zod";
import type { Immutable } from "./immutable.ts";
import { PRODUCTS } from "./order.ts";
import type { outcome } from "./schemas.ts";

/** What each callback URL is for. */
export const CALLBACK_URLS = [...PRODUCTS, "copy"] as const;
export type UrlUse = (typeof CALLBACK_URLS)[number];

/** Collects the callback URLs that there are. */
export function urlsFrom<Url>(urlOf: (key: UrlUse) => Url | undefined): Readonly<Partial<Record<UrlUse, Url>>> {
  return Object.fromEntries(
    CALLBACK_URLS.flatMap((key) => {
      const url = urlOf(key);
      return url === undefined ? [] : [[key, url]];
    }),
  );
}

/** A callback URL that delivers to the receiver inside the sandbox. */
export const SINK_URL = "kredo:sink";

/** What counts as not delivered. `not_200` is any answer other than 200, except redirects. */
export const RETRY_CAUSES = ["timed_out", "refused", "reset", "unresolved_name", "tls", "redirect", "not_200"] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];

export type CallbackOutcome = Immutable<z.output<typeof outcome>>;

/** Returns whether the receiver acknowledged the callback: HTTP 200 within the limit (document section 6, rule 2). */
export function isAcknowledged(outcome: CallbackOutcome): boolean {
  return outcome.kind === "answered" && outcome.status === 200;
}

/** Returns what became of a callback, in one word. */
export function outcomeWord(outcome: CallbackOutcome): "acknowledged" | RetryCause | "blocked" | "abandoned" {
  if (outcome.kind !== "answered") return outcome.kind;
  return isAcknowledged(outcome) ? "acknowledged" : "not_200";
}
