import type {
  Accepted,
  Attempted,
  ClientLeft,
  ClientWaits,
  ConnectionCut,
  DetailsQueried,
  Opened,
  RequestRefused,
  Reversed,
  Settled,
  ToppedUp,
} from "../../src/gateway/account/events.ts";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import type { AppliedRules } from "../../src/gateway/scenario/effects/applied-rules.ts";
import type { CallbackOutcome } from "../../src/gateway/domain/callback-outcome.ts";
import { contentKey } from "../../src/gateway/domain/draws.ts";
import { cents } from "../../src/gateway/domain/kes.ts";
import { type Order, orderContent } from "../../src/gateway/domain/order.ts";
import type { RefusalCode } from "../../src/gateway/domain/refusal.ts";
import { measureSms } from "../../src/gateway/domain/sms-parts.ts";
import type { Instant } from "../../src/gateway/domain/time.ts";
import { Aftermaths } from "../../src/gateway/account/readings/aftermaths.ts";
import { headersAs } from "../../src/gateway/scenario/effects/callback-flags.ts";
import { WATCHERS } from "../../src/verdict/checks/all-checks.ts";
import type { Observation, WatchSettings } from "../../src/verdict/checks/check.ts";
import { accountSettings, airtime } from "./gateway/world.ts";

/** What a check sees in these events of one account, without what it took back. A callback's order was accepted and settled before. */
export function observationsOf(
  check: string,
  events: readonly AccountEvent[],
  settings: WatchSettings = {},
): Omit<Observation, "id">[] {
  const watcher = WATCHERS.find(({ checks }) => checks.some(({ id }) => id === check));
  if (watcher === undefined) throw new Error(`nothing watches for ${check}`);
  const aftermaths = new Aftermaths();
  const watch = watcher.watch(settings, aftermaths);
  const observed = events.flatMap((event) => {
    if (event.kind === "attempted") resolve(aftermaths, event.requestId);
    aftermaths.take(event);
    return watcher.kinds.includes(event.kind) ? watch(event) : [];
  });
  return observed
    .filter((one) => one.id === check && !observed.some(({ replaces }) => replaces === one))
    .map(({ id: _check, replaces: _replaced, ...observation }) => observation);
}

function resolve(aftermaths: Aftermaths, requestId: string): void {
  if (aftermaths.transactionOf(requestId) === undefined) aftermaths.take(accepted(requestId, -1));
  if (aftermaths.transactionOf(requestId)?.progress.state === "queued") aftermaths.take(settled(requestId, -1));
}

/** So many seconds after the beginning of the events. */
export function after(seconds: number): Instant {
  return Date.UTC(2025, 0, 6, 6) + Math.round(seconds * 1_000);
}

/** What a scenario did to a request; without changes, nothing that a client feels. */
export function appliedRules(changes: Partial<AppliedRules> = {}): AppliedRules {
  return { fired: [{ scenario: "test", rule: "a rule" }], counters: [], ...changes };
}

/** An exchange that proves something: a request. */
export function request(requestId: string): { kind: "request"; requestId: string } {
  return { kind: "request", requestId };
}

/** An exchange that proves something: a callback's attempt. */
export function callback(requestId: string, attempt = 1): { kind: "callback"; requestId: string; attempt: number } {
  return { kind: "callback", requestId, attempt };
}

export function opened(): Opened {
  return { kind: "opened", at: after(0), settings: accountSettings(), seed: 1, clock: { mode: "real" } };
}

/** An accepted order, by default KES 50 of airtime; its price is the amount, or KES 0.80 a part. */
export function accepted(requestId: string, seconds: number, changes: Partial<Accepted> = {}): Accepted {
  const order = changes.order ?? airtime(50);
  const price = priceOf(order);
  return {
    kind: "accepted",
    at: after(seconds),
    requestId,
    order,
    content: contentOf(order),
    carrier: "safaricom",
    ported: false,
    ...(order.operation === "sms" && { measure: measureSms(order.message, 70) }),
    hold: price,
    plan: { settleAfter: 1_000, result: { outcome: "success", resultCode: 200, resultDesc: "Done." }, charge: price },
    ...changes,
  };
}

/** An accepted order whose callback a scenario sends before the acknowledgment. */
export function acceptedAfterCallback(requestId: string, seconds: number): Accepted {
  const order = accepted(requestId, seconds);
  const callback = { deliveries: [{ after: 0, scripted: {} }], before_ack: true, reorder: 0 };
  return { ...order, plan: { ...order.plan, settleAfter: 0, callback } };
}

/** A refused order, by default KES 50 of airtime. */
export function refused(requestId: string, seconds: number, { code, ...changes }: RefusalOf): RequestRefused {
  const order = changes.order ?? airtime(50);
  return {
    kind: "refused",
    at: after(seconds),
    requestId,
    method: "POST",
    path: `/api/v2/${order.operation}`,
    operation: order.operation,
    content: contentOf(order),
    code,
    description: "Refused.",
    order,
    ...changes,
  };
}

type RefusalOf = { readonly code: RefusalCode } & Partial<RequestRefused>;

/** A request that was refused before its order was read. */
export function unread(
  requestId: string,
  seconds: number,
  { code, body = "{}", ...changes }: RefusalOf,
): RequestRefused {
  return {
    kind: "refused",
    at: after(seconds),
    requestId,
    method: "POST",
    path: "/api/v2/airtime",
    operation: "airtime",
    content: contentKey(`refused|POST|/api/v2/airtime|${code}|${body}`),
    code,
    description: "Refused.",
    body,
    ...changes,
  };
}

/** A question for the account's details. */
export function queried(requestId: string, seconds: number, changes: Partial<DetailsQueried> = {}): DetailsQueried {
  return {
    kind: "queried",
    at: after(seconds),
    requestId,
    content: contentKey("account-details"),
    available: cents(1_000_000),
    ...changes,
  };
}

/** An order whose connection a scenario reset before it was accepted; by default KES 50 of airtime. */
export function cut(requestId: string, seconds: number, changes: Partial<ConnectionCut> = {}): ConnectionCut {
  const order = changes.order ?? airtime(50);
  return {
    kind: "cut",
    at: after(seconds),
    requestId,
    content: contentOf(order),
    order,
    breakage: "reset",
    rules: appliedRules({ breakage: changes.breakage ?? "reset" }),
    ...changes,
  };
}

/** The client left after `waited` milliseconds. */
export function clientLeft(requestId: string, seconds: number, waited = 2_000): ClientLeft {
  return { kind: "client-left", at: after(seconds), requestId, waited };
}

/** The client still waits for its answer. */
export function clientWaits(requestId: string, seconds: number, waited = 32_000): ClientWaits {
  return { kind: "client-waits", at: after(seconds), requestId, waited };
}

/** The carrier's result, by default a success of KES 50 whose callback is due at once. */
export function settled(requestId: string, seconds: number, changes: Partial<Settled> = {}): Settled {
  const hasFailed = changes.outcome === "failed";
  return {
    kind: "settled",
    at: after(seconds),
    requestId,
    outcome: "succeeded",
    resultCode: hasFailed ? 500 : 200,
    resultDesc: hasFailed ? "Failed." : "Done.",
    charge: cents(hasFailed ? 0 : 5_000),
    available: cents(995_000),
    callback: { dueAt: after(seconds) },
    ...changes,
  };
}

/** A success of KES 50 is taken back. */
export function reversed(requestId: string, seconds: number): Reversed {
  return {
    kind: "reversed",
    at: after(seconds),
    requestId,
    resultCode: 500,
    resultDesc: "Failed.",
    refund: cents(5_000),
    available: cents(1_000_000),
  };
}

/** A callback's attempt, by default the first, answered with 200 after 5 ms. */
export function attempted(requestId: string, seconds: number, changes: Partial<Attempted> = {}): Attempted {
  return {
    kind: "attempted",
    at: after(seconds),
    requestId,
    delivery: 1,
    attempt: 1,
    url: "http://localhost:3000/hooks/airtime",
    headers: headersAs({ "content-type": "application/json" }, changes.scripted ?? {}),
    outcome: answered(200),
    millis: 5,
    ...changes,
  };
}

/** What a receiver answered. */
export function answered(status: number, body = "ok"): CallbackOutcome {
  return { kind: "answered", status, body };
}

export function toppedUp(seconds: number, shillings: number): ToppedUp {
  return { kind: "topped-up", at: after(seconds), amount: cents(shillings * 100) };
}

function contentOf(order: Order): number {
  return contentKey(orderContent(order));
}

function priceOf(order: Order): Accepted["hold"] {
  return order.operation === "airtime" ? order.amount : cents(measureSms(order.message, 70).parts * 80);
}

/** For what reports faults that a test must not have. */
export function failOn(fault: unknown): never {
  throw fault;
}
