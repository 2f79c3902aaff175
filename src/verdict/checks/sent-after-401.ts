import type { RequestRefused } from "../../gateway/account/events.ts";
import type { RefusalCode } from "../../gateway/domain/refusal.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { type Detector, NOTHING } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { RefusalRuns } from "./refusal-runs.ts";
import { sentAt } from "./sent-at.ts";

/** Reports requests that continue with wrong credentials, which no retry can fix. */
export const sentAfter401: Detector = {
  id: "sent-after-401",
  severity: "risk",
  title: "Requests continued after 401",
  why: "A 401 means that the consumer key or secret is wrong or revoked, and no retry repairs that. Customers wait for orders that cannot be placed, and nobody notices.",
  repair:
    "Stop sending at the first 401, keep the orders as not sent, and alert a person. Request account-details from time to time, and continue once it answers 200.",
  assumes:
    "Requests within a second of the first 401 were under way already, and up to three after it may be a person trying. Asking for account-details 10 s or more after the last 401 checks whether the credentials work again. All clients that use this consumer key are one backend.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => {
    const runs = new RefusalRuns();
    const checks = new CredentialChecks();
    return (event) => {
      if (event.kind === "accepted" || event.kind === "queried" || event.kind === "cut") runs.end();
      if (event.kind !== "refused") return NOTHING;
      if (event.code !== 401 && !COMES_BEFORE_401.has(event.code)) runs.end();
      const run = event.code === 401 && !checks.isCredentialCheck(event) ? runs.add(event) : undefined;
      if (run === undefined) return NOTHING;
      const seen = `${run.requests} requests in a row were refused with 401 in ${describeDuration(run.lasted)}.`;
      return [{ subject: "consumer key and secret", seen, exchanges: run.exchanges }];
    };
  },
};

/** Path, method and size are checked before the credentials, so these refusals say nothing about them. */
const COMES_BEFORE_401: ReadonlySet<RefusalCode> = new Set([404, 405, 413]);

/** Nobody can have fixed the cause sooner. */
const CHECK_AFTER: Millis = 10 * SECOND;

/** Distinguishes checks whether the credentials work again, which are harmless, from requests that simply continue. */
class CredentialChecks {
  #last: Instant = -Infinity;

  isCredentialCheck(refused: RequestRefused): boolean {
    const at = sentAt(refused);
    const waited = at - this.#last;
    this.#last = at;
    return refused.operation === "account-details" && waited >= CHECK_AFTER;
  }
}
