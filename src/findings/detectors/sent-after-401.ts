import type { RequestRefused } from "../../account/events.ts";
import type { RefusalCode } from "../../domain/refusal.ts";
import { type Instant, type Millis, SECOND } from "../../domain/time.ts";
import { type Detector, NOTHING } from "../detector.ts";
import { timeInWords } from "../in-words.ts";
import { RefusedRuns } from "../refused-run.ts";
import { sentAt } from "../sent-at.ts";

/** Wrong credentials stay wrong: sending on with them changes nothing. */
export const sentAfter401: Detector = {
  id: "sent-after-401",
  severity: "risk",
  title: "Requests went on after 401",
  why: "A 401 means that the consumer key or secret is wrong or revoked, which no retry mends: customers wait for orders that cannot be placed, and nobody is told.",
  mend: "Stop sending at the first 401, keep the orders as not sent, and alert a person; go on once account-details, asked for now and then, is answered with 200.",
  assumes:
    "Requests within a second of the first 401 were under way already, and up to three after it may be a person trying. Asking for account-details 10 s or more after the last 401 is a look whether the credentials work again. All clients that use this consumer key are one backend.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => {
    const runs = new RefusedRuns();
    const looks = new Looks();
    return (event) => {
      if (event.kind === "accepted" || event.kind === "queried" || event.kind === "cut") runs.end();
      if (event.kind !== "refused") return NOTHING;
      if (event.code !== 401 && !COMES_BEFORE_401.has(event.code)) runs.end();
      const run = event.code === 401 && !looks.isLook(event) ? runs.add(event) : undefined;
      if (run === undefined) return NOTHING;
      const seen = `${run.requests} requests in a row were refused with 401 in ${timeInWords(run.lasted)}.`;
      return [{ subject: "consumer key and secret", seen, exchanges: run.exchanges }];
    };
  },
};

/** Path, method and size are looked at before the credentials, so these say nothing of them. */
const COMES_BEFORE_401: ReadonlySet<RefusalCode> = new Set([404, 405, 413]);

/** Sooner after a 401 nobody can have mended its cause. */
const LOOK_AFTER: Millis = 10 * SECOND;

/** Tells looks whether the credentials work again, which cost nobody an order, from requests that go on. */
class Looks {
  #last: Instant = -Infinity;

  isLook(refused: RequestRefused): boolean {
    const at = sentAt(refused);
    const waited = at - this.#last;
    this.#last = at;
    return refused.operation === "account-details" && waited >= LOOK_AFTER;
  }
}
