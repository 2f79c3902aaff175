import { available, credit, debit, hold, release } from "../domain/wallet.ts";
import { subtractKes } from "../domain/kes.ts";
import type {
  Accepted,
  AccountChanged,
  AccountEvent,
  Attempted,
  RequestEvent,
  ResendRequested,
  SenderIdDecided,
  Settled,
  SenderIdSubmitted,
} from "./events.ts";
import { countsForRateLimit, rateWindow } from "./rate-limit.ts";
import { decodeState } from "./snapshot.ts";
import { type AccountState, openState } from "./state.ts";
import { addResend, begin, isDone, recordAttempt, type Resolved, settle, type Transaction } from "./transaction.ts";

/**
 * Folds one event into the state, which it owns: the state that is returned is the one to go on with. An event about a
 * transaction that was evicted changes nothing.
 */
export function apply(state: AccountState | undefined, event: AccountEvent): AccountState {
  if (event.kind === "opened") return openState(event);
  if (event.kind === "snapshot") return decodeState(event.state);
  if (state === undefined) throw new Error(`a journal begins with "opened" or "snapshot", not "${event.kind}"`);
  applyTo(state, event);
  state.latest = Math.max(state.latest, event.at);
  return state;
}

/** Folds a whole journal. */
export function foldJournal(events: Iterable<AccountEvent>): AccountState | undefined {
  let state: AccountState | undefined;
  for (const event of events) state = apply(state, event);
  return state;
}

function applyTo(state: AccountState, event: Exclude<AccountEvent, { kind: "opened" | "snapshot" }>): void {
  switch (event.kind) {
    case "accepted":
      return applyAccepted(state, event);
    case "refused":
    case "queried":
      return countRequest(state, event);
    case "settled":
      return applySettled(state, event);
    case "attempted":
    case "resend-requested":
      return applyDelivery(state, event);
    case "topped-up":
      state.wallet = credit(state.wallet, event.amount);
      return;
    case "wallet-set":
      state.wallet = credit(state.wallet, subtractKes(event.available, available(state.wallet)));
      return;
    case "callbacks-changed":
      state.settings = { ...state.settings, callbacks: event.callbacks };
      return;
    case "account-changed":
      return applyAccountChanged(state, event);
    case "sender-id-submitted":
      return applySubmitted(state, event);
    case "sender-id-decided":
      return applyDecided(state, event);
    case "clock-changed":
      state.clock = event.clock;
      return;
  }
}

function applyAccepted(state: AccountState, event: Accepted): void {
  countRequest(state, event);
  state.wallet = hold(state.wallet, event.hold);
  state.transactions.set(event.requestId, begin(event));
  state.unresolved += 1;
  if (event.repeatableAt !== undefined) rememberRepeatable(state, event.content, { at: event.at, until: event.repeatableAt });
}

/** Contents that are counted; past that a label takes the sequence number (DESIGN.md section 6). */
export const COUNTED_CONTENTS = 100_000;

function countRequest(state: AccountState, event: RequestEvent): void {
  state.requests += 1;
  const seen = state.contents.get(event.content);
  if (seen !== undefined || state.contents.size < COUNTED_CONTENTS) state.contents.set(event.content, (seen ?? 0) + 1);
  const limit = state.settings.rateLimit;
  if (limit === undefined || !countsForRateLimit(event)) return;
  const window = rateWindow(state.window, limit, event.at);
  state.window = { from: window.from, requests: window.requests + 1 };
}

function rememberRepeatable(state: AccountState, content: number, span: { at: number; until: number }): void {
  for (const [key, until] of state.repeatable) {
    if (until > span.at) break;
    state.repeatable.delete(key);
  }
  state.repeatable.delete(content);
  state.repeatable.set(content, span.until);
}

function applySettled(state: AccountState, event: Settled): void {
  const transaction = state.transactions.get(event.requestId);
  if (transaction?.progress.state !== "queued") return;
  state.wallet = debit(release(state.wallet, transaction.accepted.hold), event.charge);
  advance(state, transaction, settle(event));
}

function applyDelivery(state: AccountState, event: Attempted | ResendRequested): void {
  const transaction = state.transactions.get(event.requestId);
  if (transaction === undefined || transaction.progress.state === "queued") return;
  const next = event.kind === "attempted" ? recordAttempt(transaction.progress, event) : addResend(transaction.progress, event);
  advance(state, transaction, next);
}

function advance(state: AccountState, transaction: Transaction, next: Resolved): void {
  const wasDone = isDone(transaction);
  transaction.progress = next;
  state.unresolved += Number(wasDone) - Number(isDone(transaction));
}

function applyAccountChanged(state: AccountState, { consumerSecret, organization, rateLimit }: AccountChanged): void {
  const { rateLimit: before, ...rest } = state.settings;
  const limit = rateLimit === undefined ? before : (rateLimit ?? undefined);
  state.settings = {
    ...rest,
    ...(consumerSecret === undefined ? {} : { consumerSecret }),
    ...(organization === undefined ? {} : { organization }),
    ...(limit === undefined ? {} : { rateLimit: limit }),
  };
}

function applySubmitted(state: AccountState, event: SenderIdSubmitted): void {
  state.registrations.set(event.id, { submitted: event });
  state.wallet = debit(state.wallet, event.fee);
}

function applyDecided(state: AccountState, event: SenderIdDecided): void {
  const registration = state.registrations.get(event.id);
  if (registration === undefined) return;
  state.registrations.set(event.id, { ...registration, decided: event });
  if (event.verdict === "rejected") return;
  const { senderId, carrier } = registration.submitted;
  state.senderIds.set(senderId, new Set([...(state.senderIds.get(senderId) ?? []), carrier]));
}
