import { forEachProduct } from "../../gateway/domain/order.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { NO_OBSERVATIONS, type Observation, type Watcher } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { requestExchanges } from "./finding.ts";
import { RecentMap } from "../../gateway/account/readings/recent-map.ts";
import { type AnswerReading, answerOf, sentAt } from "../../gateway/account/readings/answer.ts";

/** Reports requests that go on although nothing that the backend does can make them succeed. */
export const refusedRequests: Watcher = {
  checks: [
    {
      id: "sent-after-401",
      severity: "risk",
      title: "Requests continued after 401",
      why: "A 401 means that the consumer key or secret is wrong or revoked, and no retry repairs that. Customers wait for orders that cannot be placed, and nobody notices.",
      repair:
        "Stop sending at the first 401, keep the orders as not sent, and alert a person. Request account-details from time to time, and continue once it answers 200.",
      assumes:
        "Requests within a second of the first 401 were under way already, up to two others after it may be a person trying, and one order may be tried again three times. Asking for account-details 10 s or more after the last 401 checks whether the credentials work again. All clients that use this consumer key are one backend.",
    },
    {
      id: "sent-after-402",
      severity: "risk",
      title: "Orders continued after 402 without a balance check",
      why: "A 402 means that the wallet cannot cover this order. Until somebody tops it up, every order of that size is refused as well, and each customer waits in vain.",
      repair:
        "At the first 402, put orders on hold and alert whoever tops up the wallet. Request account-details from time to time, and continue when available_balance covers the next order.",
      assumes:
        "Orders within a second of the first 402 were under way already, up to two others after it may be chance, and one order may be tried again three times. Nothing counts after an accepted order, a balance query, a top-up, or a failed order whose money was released.",
    },
  ],
  kinds: ["accepted", "queried", "cut", "refused", "settled", "reversed", "topped-up", "wallet-set"],
  watch: () => {
    const unauthorized = new Unauthorized();
    const unaffordable = forEachProduct(() => new RefusalRun());
    return (event) => {
      if (isMoneyNews(event)) for (const run of Object.values(unaffordable)) run.end();
      if (!isRequestEvent(event)) return NO_OBSERVATIONS;
      const answer = answerOf(event);
      const seen = unauthorized.see(event, answer);
      const order = "order" in event ? event.order : undefined;
      if (order === undefined) return seen;
      const run = unaffordable[order.operation];
      if (event.kind === "accepted" && answer.says !== "refused") run.end();
      if (answer.says !== "refused" || answer.code !== 402) return seen;
      return run.add(event, (requests, lasted) => ({
        id: "sent-after-402",
        subject: order.operation,
        seen: `${requests} orders (${order.operation}) were refused with 402 in ${lasted}, and nobody checked the balance.`,
      }));
    };
  },
};

/** Returns whether the wallet may cover more than before, or the backend may know what it covers. */
function isMoneyNews(event: AccountEvent): boolean {
  if (event.kind === "settled") return event.outcome === "failed";
  if (event.kind === "queried") return answerOf(event).says === "accepted";
  return event.kind === "reversed" || event.kind === "topped-up" || event.kind === "wallet-set";
}

/** Path, method and size are checked before the credentials, so these refusals say nothing about them. */
const COMES_BEFORE_401: ReadonlySet<number> = new Set([404, 405, 413]);

/** Nobody can have fixed the credentials sooner. */
const CHECK_AFTER: Millis = 10 * SECOND;

class Unauthorized {
  readonly #run = new RefusalRun();
  #last: Instant = -Infinity;

  see(event: RequestEvent, answer: AnswerReading): readonly Observation[] {
    if (answer.says === "refused" && COMES_BEFORE_401.has(answer.code)) return NO_OBSERVATIONS;
    if (answer.says !== "refused" || answer.code !== 401) {
      this.#run.end();
      return NO_OBSERVATIONS;
    }
    if (this.#isCredentialCheck(event)) return NO_OBSERVATIONS;
    return this.#run.add(event, (requests, lasted) => ({
      id: "sent-after-401",
      subject: "consumer key and secret",
      seen: `${requests} requests in a row were refused with 401 in ${lasted}.`,
    }));
  }

  /** Asking whether the credentials work again is harmless. */
  #isCredentialCheck(refused: RequestEvent): boolean {
    const at = sentAt(refused);
    const waited = at - this.#last;
    this.#last = at;
    return isDetailsRequest(refused) && waited >= CHECK_AFTER;
  }
}

/** Requests already in flight when the first refusal arrived could not know about it. */
const UNDER_WAY: Millis = SECOND;

/** More requests than a person would try manually. */
const CONTINUED = 3;

/** Trying one order again so often is sound: a job that gives up in time, and holds up nothing else. */
const SOUND_RETRIES = 3;

/** A request after a pause this long is a new attempt. */
const PAUSE: Millis = 10 * MINUTE;

/** Requests refused for the same reason, with nothing in between that could have removed the cause. */
class RefusalRun {
  #first: RequestEvent | undefined;
  #last: Instant = 0;
  #requests = 0;
  #continued = 0;
  #retries = new RecentMap<number, number>(1_000);

  add(
    refused: RequestEvent,
    describe: (requests: number, lasted: string) => Omit<Observation, "exchanges">,
  ): readonly Observation[] {
    const at = sentAt(refused);
    if (this.#first === undefined || at - this.#last > PAUSE) this.#begin(refused);
    const first = this.#first ?? refused;
    const lasted = at - sentAt(first);
    const retries = this.#countRetries(refused);
    this.#last = at;
    this.#requests += 1;
    if (lasted > UNDER_WAY && retries === 0) this.#continued += 1;
    if (this.#continued < CONTINUED && retries <= SOUND_RETRIES) return NO_OBSERVATIONS;
    const exchanges = requestExchanges([first.requestId, refused.requestId]);
    return [{ ...describe(this.#requests, describeDuration(lasted)), exchanges }];
  }

  #countRetries(refused: RequestEvent): number {
    const { content } = refused;
    const retries = this.#retries.get(content) ?? 0;
    if (!isDetailsRequest(refused)) this.#retries.set(content, retries + 1);
    return retries;
  }

  /** Ends the run because the cause may be gone. The next refusal starts a new one. */
  end(): void {
    this.#first = undefined;
  }

  #begin(refused: RequestEvent): void {
    this.#first = refused;
    this.#requests = 0;
    this.#continued = 0;
    this.#retries = new RecentMap(1_000);
  }
}
