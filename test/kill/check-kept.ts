import { checkJournal } from "../../src/account/adopt-journal.ts";
import { apply } from "../../src/account/apply.ts";
import type { AccountEvent } from "../../src/account/events.ts";
import { readLedger } from "../../src/account/readings/ledger.ts";
import type { AccountState } from "../../src/account/state.ts";
import { available } from "../../src/domain/wallet.ts";
import type { Acknowledged } from "./load.ts";

/** What must hold of a journal after a kill; what does not is a sentence each. */
export function findLosses(events: readonly AccountEvent[], { orders, topUps }: Acknowledged): string[] {
  return [...findLost(events, orders), ...findLostTopUps(events, topUps), ...findDoubled(events), ...findImpossible(events)];
}

function findLost(events: readonly AccountEvent[], orders: Acknowledged["orders"]): string[] {
  const accepted = events.filter((event) => event.kind === "accepted");
  const amounts = new Map(accepted.map(({ requestId, order }) => [requestId, order.operation === "airtime" ? order.amount / 100 : 0]));
  const repeated = accepted.length - amounts.size;
  const lost = [...orders].filter(([requestId, shillings]) => amounts.get(requestId) !== shillings);
  return [
    ...lost.map(([requestId, shillings]) => `${requestId} was acknowledged for KES ${shillings} and is lost`),
    ...(repeated === 0 ? [] : [`${repeated} acceptances stand there twice`]),
  ];
}

function findLostTopUps(events: readonly AccountEvent[], topUps: readonly number[]): string[] {
  const kept = events.flatMap((event) => (event.kind === "topped-up" ? [event.amount / 100] : []));
  const lost = topUps.filter((shillings) => countOf(kept, shillings) < countOf(topUps, shillings));
  return lost.map((shillings) => `a top-up of KES ${shillings} was acknowledged and is lost`);
}

function countOf(all: readonly number[], wanted: number): number {
  return all.filter((one) => one === wanted).length;
}

function findDoubled(events: readonly AccountEvent[]): string[] {
  return ["settled", "attempted"].flatMap((kind) => {
    const ids = events.flatMap((event) => (event.kind === kind && "requestId" in event ? [event.requestId] : []));
    const times = ids.length - new Set(ids).size;
    return times === 0 ? [] : [`${times} requests are ${kind} more than once`];
  });
}

function findImpossible(events: readonly AccountEvent[]): string[] {
  try {
    checkJournal(events);
  } catch (error) {
    return [`the journal does not add up: ${String(error)}`];
  }
  let state: AccountState | undefined;
  let lowest = 0;
  for (const event of events) {
    state = apply(state, event);
    lowest = Math.min(lowest, available(state.wallet));
  }
  const entries = readLedger({ first: 1, events });
  const moved = entries.filter(({ kind }) => kind !== "hold" && kind !== "release").reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...(lowest < 0 ? [`the wallet was at ${lowest} cents`] : []),
    ...(moved === state?.wallet.balance ? [] : [`the ledger adds up to ${moved} cents, the wallet has ${state?.wallet.balance}`]),
  ];
}

/** After everything was delivered: each callback came once, or says that it may have come twice. */
export function findStray(events: readonly AccountEvent[], received: ReadonlyMap<string, number>): string[] {
  const repeated = new Set(events.flatMap((event) => (event.kind === "attempted" && event.possiblyRepeated ? [event.requestId] : [])));
  const accepted = events.flatMap((event) => (event.kind === "accepted" ? [event.requestId] : []));
  return accepted.flatMap((requestId) => {
    const times = received.get(requestId) ?? 0;
    if (times === 0) return [`the callback of ${requestId} never came`];
    return times === 1 || repeated.has(requestId) ? [] : [`the callback of ${requestId} came ${times} times and does not say why`];
  });
}
