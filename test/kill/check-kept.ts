import { checkJournal } from "../../src/gateway/account/check-journal.ts";
import { apply } from "../../src/gateway/account/apply.ts";
import type { Settled } from "../../src/gateway/account/events.ts";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import { readLedger } from "../../src/gateway/account/readings/ledger.ts";
import type { AccountState } from "../../src/gateway/account/state.ts";
import { available } from "../../src/gateway/domain/kes.ts";
import type { Acknowledged } from "./load.ts";
import type { Receiver } from "./receiver.ts";

/** What a promise was broken by; the sentence says which one. */
export interface Problem {
  readonly kind: "lost" | "doubled" | "wrong";
  readonly text: string;
}

/** What must hold of a journal after a kill, and does not. */
export function findLosses(events: readonly AccountEvent[], { orders, topUps }: Acknowledged): Problem[] {
  return [
    ...findLost(events, orders),
    ...findLostTopUps(events, topUps),
    ...findDoubled(events),
    ...findImpossible(events),
  ];
}

function findLost(events: readonly AccountEvent[], orders: Acknowledged["orders"]): Problem[] {
  const accepted = events.filter((event) => event.kind === "accepted");
  const amounts = new Map(
    accepted.map(({ requestId, order }) => [requestId, order.operation === "airtime" ? order.amount / 100 : 0]),
  );
  const repeated = accepted.length - amounts.size;
  const lost = [...orders].filter(([requestId, shillings]) => amounts.get(requestId) !== shillings);
  return [
    ...lost.map(([requestId, shillings]) =>
      problem("lost", `${requestId} was acknowledged for KES ${shillings} and is lost`),
    ),
    ...(repeated === 0 ? [] : [problem("doubled", `${repeated} acceptances stand there twice`)]),
  ];
}

function findLostTopUps(events: readonly AccountEvent[], topUps: readonly number[]): Problem[] {
  const kept = events.flatMap((event) => (event.kind === "topped-up" ? [event.amount / 100] : []));
  const lost = topUps.filter((shillings) => countOf(kept, shillings) < countOf(topUps, shillings));
  return lost.map((shillings) => problem("lost", `a top-up of KES ${shillings} was acknowledged and is lost`));
}

function problem(kind: Problem["kind"], text: string): Problem {
  return { kind, text };
}

function countOf(all: readonly number[], wanted: number): number {
  return all.filter((one) => one === wanted).length;
}

function findDoubled(events: readonly AccountEvent[]): Problem[] {
  return ["settled", "attempted"].flatMap((kind) => {
    const ids = events.flatMap((event) => (event.kind === kind && "requestId" in event ? [event.requestId] : []));
    const times = ids.length - new Set(ids).size;
    return times === 0 ? [] : [problem("doubled", `${times} requests are ${kind} more than once`)];
  });
}

function findImpossible(events: readonly AccountEvent[]): Problem[] {
  try {
    checkJournal(events);
  } catch (error) {
    return [problem("wrong", `the journal does not add up: ${String(error)}`)];
  }
  let state: AccountState | undefined;
  let lowest = 0;
  for (const event of events) {
    state = apply(state, event);
    lowest = Math.min(lowest, available(state.wallet));
  }
  const entries = readLedger({ first: 1, events });
  const moved = entries
    .filter(({ kind }) => kind !== "hold" && kind !== "release")
    .reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...(lowest < 0 ? [problem("wrong", `the wallet was at ${lowest} cents`)] : []),
    ...(moved === state?.wallet.balance
      ? []
      : [problem("wrong", `the ledger adds up to ${moved} cents, the wallet has ${state?.wallet.balance}`)]),
  ];
}

/** After everything was delivered: each callback came once, or says that it may have come twice; it says what the journal says. */
export function findStray(events: readonly AccountEvent[], received: Receiver["received"]): Problem[] {
  const repeated = new Set(
    events.flatMap((event) => (event.kind === "attempted" && event.possiblyRepeated ? [event.requestId] : [])),
  );
  return events.flatMap((event) => {
    if (event.kind !== "settled") return [];
    const { requestId } = event;
    const came = received.get(requestId) ?? [];
    if (came.length === 0) return [problem("lost", `the callback of ${requestId} never came`)];
    const wrong = came.filter(({ body }) => !tellsOf(event, body));
    return [
      ...wrong.map(({ body }) => problem("wrong", `a callback does not tell what was settled: ${body}`)),
      ...(came.length === 1 || repeated.has(requestId)
        ? []
        : [problem("doubled", `the callback of ${requestId} came ${came.length} times and does not say why`)]),
    ];
  });
}

function tellsOf({ requestId, charge, available: left, resultCode }: Settled, body: string): boolean {
  const said: Record<string, unknown> = JSON.parse(body);
  const told = { request_id: requestId, charge: charge / 100, account_balance: left / 100, result_code: resultCode };
  return Object.entries(told).every(([key, value]) => said[key] === value);
}
