import type { RefusalCode } from "../../domain/refusal.ts";
import { type Detector, NOTHING } from "../detector.ts";
import { timeInWords } from "../in-words.ts";
import { RefusedRuns } from "../refused-run.ts";

/** Wrong credentials stay wrong: sending on with them changes nothing. */
export const sentAfter401: Detector = {
  id: "sent-after-401",
  severity: "risk",
  title: "Requests went on after 401",
  why: "A 401 means that the consumer key or secret is wrong or revoked, which no retry mends: customers wait for orders that cannot be placed, and nobody is told.",
  mend: "Stop sending at the first 401, keep the orders as not sent, and alert a person; go on once one account-details request is answered with 200.",
  assumes:
    "Requests within a second of the first 401 were under way already, and up to three after it may be a person trying. All clients that use this consumer key are one backend.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => {
    const runs = new RefusedRuns();
    return (event) => {
      if (event.kind === "accepted" || event.kind === "queried" || event.kind === "cut") runs.end();
      if (event.kind !== "refused") return NOTHING;
      if (event.code !== 401 && !COMES_BEFORE_401.has(event.code)) runs.end();
      const run = event.code === 401 ? runs.add(event) : undefined;
      if (run === undefined) return NOTHING;
      const seen = `${run.requests} requests in a row were refused with 401 in ${timeInWords(run.lasted)}.`;
      return [{ subject: "consumer key and secret", seen, exchanges: run.exchanges }];
    };
  },
};

/** Path, method and size are looked at before the credentials, so these say nothing of them. */
const COMES_BEFORE_401: ReadonlySet<RefusalCode> = new Set([404, 405, 413]);
