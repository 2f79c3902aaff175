import { kesAsNumber, NO_MONEY } from "../../domain/kes.ts";
import { formatDuration, type Millis, MINUTE } from "../../domain/time.ts";
import { headersAs, scriptedKeys } from "../../scenario/effects/callback-flags.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { Accepted, ClientLeft, RequestEvent, RequestRefused, Settled } from "../events.ts";
import { isUnresolved, type Resolved, reverse, settle, type Transaction } from "../transaction.ts";
import { responseTime, statusSeen } from "./answer.ts";
import { readAttempt } from "./callback.ts";
import { describeCallbacks } from "./describe-callbacks.ts";
import { describeMeaningWithCode } from "./describe-order.ts";
import { meaningOf, readRequest } from "./request.ts";

/** Reads a request for a test that sends it again: how to make the same happen, and what comes of it once nothing is pending. */
export function readAgain(event: RequestEvent, soFar?: Transaction, left?: ClientLeft) {
  const transaction = soFar && onceDone(soFar);
  const reading = readRequest(event, transaction ?? { left });
  const got = statusSeen(reading.answer) ?? ("no answer" as const);
  const effects = effectsAgain(event, transaction);
  return {
    transaction,
    reading,
    effects,
    got,
    took: got === "no answer" ? 0 : responseTime(event),
    told: transaction && describeCallbacks(transaction, Infinity, reading)?.text,
    isToldFirst: effects?.callback?.before_ack === true,
    ...resultsOf(transaction),
  };
}

/** The result and the callbacks of a transaction, and what those said that were not sent as usual. */
function resultsOf(transaction: Transaction | undefined) {
  if (transaction === undefined || isUnresolved(transaction.progress)) return { attempts: [], changed: [] };
  const { accepted, progress } = transaction;
  const { attempts, settled } = progress;
  const changed = attempts.flatMap((attempt) => {
    const scripted = scriptedKeys(attempt.scripted ?? {});
    const said = describeMeaningWithCode(
      meaningOf(readAttempt(attempt, { accepted, progress }), { accepted, progress }),
    );
    return scripted.length === 0 ? [] : [{ said, scripted }];
  });
  return { settled, attempts, changed };
}

type Effects = NonNullable<Scenario["rules"]>[number]["then"];

/**
 * Writes what happened to a request as the effects of a rule that makes it happen again, whatever caused it. Keys are undefined for what went
 * as usual. Undefined if the gateway does it again by itself, before any rule.
 */
function effectsAgain(event: RequestEvent, transaction: Transaction | undefined): Effects | undefined {
  if (event.kind === "cut") return { connection: `${event.breakage}_before_accept` };
  if (event.kind === "refused") return refuseAgain(event);
  if (event.kind === "queried" || transaction === undefined) return {};
  const { breakage, ack } = event.rules ?? {};
  const result = resultAgain(transaction);
  return {
    connection: breakage && `${breakage}_after_accept`,
    ack: ack && { ...ack, delay: span(ack.delay) },
    result,
    // What never has a result sends none.
    callback: result.stuck === true ? undefined : callbackAgain(event, result.delay !== undefined),
  };
}

/** Refusals for which a body need not be read. */
const UNREAD = [401, 402, 403, 429, 500];

function refuseAgain({ code, order, rules, answer: body }: RequestRefused): Effects | undefined {
  if (order === undefined && !UNREAD.includes(code)) return undefined;
  if (body === undefined && rules?.ack === undefined) return { refuse: code };
  const { delay = 0, headers, content_type } = rules?.ack ?? {};
  return { refuse: { status: code, body, content_type, headers, delay: span(delay) } };
}

function resultAgain({ accepted: { at, hold }, progress }: Transaction): NonNullable<Effects["result"]> {
  if (isUnresolved(progress)) return { stuck: true };
  const { at: settledAt, outcome, resultCode, charge, delivered: parts } = progress.settled;
  const isSuccess = outcome === "succeeded";
  return {
    result_code: isSuccess || parts !== undefined ? undefined : resultCode,
    delivered_parts: parts?.length === 0 ? 0 : parts?.slice(),
    charge: charge !== (isSuccess ? hold : NO_MONEY) ? kesAsNumber(charge) : undefined,
    // Every carrier is sooner.
    delay: settledAt - at >= MINUTE ? formatDuration(settledAt - at) : undefined,
  };
}

/** What waited for its result was not sent before the answer. */
function callbackAgain({ plan: { callback } }: Accepted, hasWaited: boolean): Effects["callback"] {
  if (callback === undefined) return undefined;
  const { deliveries, dropped, before_ack, reorder } = callback;
  if (dropped !== undefined) return { drop: true };
  const [first, second] = deliveries;
  return {
    ...Object.assign({}, ...deliveries.map(({ scripted }) => scripted)),
    times: second && deliveries.length,
    gap: first && second && span(second.after - first.after),
    delay: first && span(first.after),
    before_ack: hasWaited ? undefined : before_ack || undefined,
    reorder: reorder || undefined,
  };
}

function span(millis: Millis): string | undefined {
  return millis > 0 ? formatDuration(millis) : undefined;
}

/**
 * Returns a transaction once nothing is pending, if its receiver acknowledges what is still to be sent; without what somebody sent again by hand.
 */
function onceDone(transaction: Transaction): Transaction {
  const { accepted, progress, number } = transaction;
  if (progress.state === "stuck") return transaction;
  const resolved = progress.state === "queued" ? settle(resultOf(accepted, progress.settlesAt), number) : progress;
  return { ...transaction, progress: onceSent(resolved, accepted) };
}

function resultOf({ plan, requestId }: Accepted, at: number): Settled {
  const { result, charge, callback, delivered } = plan;
  const { outcome, resultCode, resultDesc } = result;
  const said = { outcome: outcome === "success" ? "succeeded" : "failed", resultCode, resultDesc } as const;
  const sent = callback?.dropped === undefined ? (callback ?? { dueAt: at }) : { none: callback.dropped };
  return { kind: "settled", at, requestId, ...said, charge, delivered, available: NO_MONEY, callback: sent };
}

function onceSent(resolved: Resolved, { requestId, plan: { reversal } }: Accepted): Resolved {
  const own = resolved.deliveries.filter(({ cause }) => cause === "result");
  const made = resolved.attempts.filter(({ delivery }) => own.some(({ number }) => number === delivery));
  const due = own.flatMap(({ next, number: delivery, scripted }) =>
    next === "none" ? [] : [{ at: next.dueAt, delivery, scripted }],
  );
  const outcome = { kind: "answered", status: 200, body: "" } as const;
  const sent = due
    .toSorted((one, other) => one.at - other.at)
    .map((one, index) => {
      const headers = headersAs({ "content-type": "application/json" }, one.scripted ?? {});
      const attempt = made.length + index + 1;
      return { kind: "attempted", requestId, ...one, attempt, url: "", headers, outcome, millis: 0 } as const;
    });
  const deliveries = own.map((one) => ({ ...one, next: "none" as const }));
  const all = { ...resolved, deliveries, attempts: [...made, ...sent] };
  const telling = sent.find(({ scripted }) => scripted?.reverse === true);
  if (telling === undefined || reversal === undefined || all.state !== "succeeded") return all;
  const { charge: refund, available } = all.settled;
  return reverse(all, { kind: "reversed", at: telling.at, requestId, ...reversal, refund, available });
}
