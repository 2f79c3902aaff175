import { available, credit, debit, hold, release, subtractKes } from "../domain/kes.ts";
import type {
  Accepted,
  Attempted,
  ClientLeft,
  DeliveryEvent,
  RequestEvent,
  Reversed,
  ScenariosChanged,
  SenderIdDecided,
  SenderIdSubmitted,
  Settled,
  TimelineStepped,
} from "./events.ts";
import type { CallbacksChanged, CredentialsChanged } from "./settings-events.ts";
import type { SenderIdGrant } from "../settings/account-settings.ts";
import type { AccountEvent } from "./account-event.ts";
import { countForRateLimit } from "./rate-limit.ts";
import { decodeState } from "./snapshot.ts";
import { applyScenarios, applyStep } from "./apply-scenarios.ts";
import { addCounts } from "./counters.ts";
import { COUNTED_CONTENTS } from "./run-label.ts";
import { type AccountState, initialState, settingsInForce } from "./state.ts";
import type { Instant } from "../domain/time.ts";
import {
  addResend,
  begin,
  beginAttempt,
  isPending,
  isReordered,
  isUnresolved,
  countLaterSent,
  recordAttempt,
  addCopy,
  type Resolved,
  reverse,
  settle,
  type Transaction,
  type QueuePosition,
  queuePositionOf,
} from "./transaction.ts";

/**
 * Applies one event and returns the new state. Takes ownership of the old state and may mutate it. An event about an evicted transaction
 * changes nothing.
 */
export function apply(state: AccountState | undefined, event: AccountEvent): AccountState {
  if (event.kind === "opened") return initialState(event);
  if (event.kind === "snapshot") return decodeState(event.state);
  if (state === undefined) throw new Error(`a journal begins with "opened" or "snapshot", not "${event.kind}"`);
  state.events += 1;
  if (event.kind !== "client-waits") applyTo(state, event);
  state.latest = Math.max(state.latest, event.at);
  return state;
}

/** Folds a whole journal into a state. */
export function foldJournal(events: Iterable<AccountEvent>): AccountState | undefined {
  let state: AccountState | undefined;
  for (const event of events) state = apply(state, event);
  return state;
}

function applyTo(
  state: AccountState,
  event: Exclude<AccountEvent, { kind: "opened" | "snapshot" | "client-waits" }>,
): void {
  switch (event.kind) {
    case "accepted":
      return applyAccepted(state, event);
    case "refused":
    case "queried":
    case "cut":
      return countRequest(state, event);
    case "client-left":
      return applyLeft(state, event);
    case "settled":
      return applySettled(state, event);
    case "reversed":
      return applyReversed(state, event);
    case "attempt-begun":
    case "attempted":
    case "copied":
    case "resend-requested":
      return applyDelivery(state, event);
    case "topped-up":
      state.wallet = credit(state.wallet, event.amount);
      return;
    case "wallet-set":
      state.wallet = credit(state.wallet, subtractKes(event.available, available(state.wallet)));
      return;
    case "callbacks-changed":
      return applyCallbacks(state, event);
    case "credentials-changed":
    case "scenarios-changed":
    case "timeline-stepped":
      return withFormerSecrets(state, event.at, () => applyToCredentials(state, event));
    case "sender-id-submitted":
      return applySubmitted(state, event);
    case "sender-id-decided":
      return applyDecided(state, event);
    case "clock-changed":
      state.clock = event.clock;
      return;
    default:
      throw unknownKind(event);
  }
}

/** A newer version, or another hand, has written it. Without it, the state would be wrong. */
function unknownKind(event: never): Error {
  return new Error(`it has an event of an unknown kind, ${JSON.stringify(Object(event).kind)}`);
}

function applyAccepted(state: AccountState, event: Accepted): void {
  countRequest(state, event);
  state.wallet = hold(state.wallet, event.hold);
  const transaction = begin(event, state.events);
  state.transactions.set(event.requestId, transaction);
  if (transaction.progress.state === "stuck") state.stuck += 1;
  else state.pending += 1;
  if (event.repeatableAt !== undefined)
    rememberRepeatable(state, event.content, { at: event.at, until: event.repeatableAt });
}

function countRequest(state: AccountState, event: RequestEvent): void {
  state.requests += 1;
  const seen = state.contents.get(event.content);
  if (seen !== undefined || state.contents.size < COUNTED_CONTENTS) state.contents.set(event.content, (seen ?? 0) + 1);
  addCounts(state, event);
  countForRateLimit(state, event);
}

function rememberRepeatable(state: AccountState, content: number, span: { at: number; until: number }): void {
  for (const [key, until] of state.repeatable) {
    if (until > span.at) break;
    state.repeatable.delete(key);
  }
  state.repeatable.delete(content);
  state.repeatable.set(content, span.until);
}

/** Does not affect the outcome of the request. */
function applyLeft(state: AccountState, event: ClientLeft): void {
  const transaction = state.transactions.get(event.requestId);
  if (transaction !== undefined) transaction.left = event;
}

function applySettled(state: AccountState, event: Settled): void {
  const transaction = state.transactions.get(event.requestId);
  if (transaction === undefined || !isUnresolved(transaction.progress)) return;
  if (transaction.progress.state === "stuck") state.stuck -= 1;
  state.wallet = debit(release(state.wallet, transaction.accepted.hold), event.charge);
  advance(state, transaction, settle(event, state.events));
  state.settlements += 1;
}

function applyReversed(state: AccountState, event: Reversed): void {
  const transaction = state.transactions.get(event.requestId);
  if (transaction?.progress.state !== "succeeded") return;
  state.wallet = credit(state.wallet, event.refund);
  advance(state, transaction, reverse(transaction.progress, event));
}

function applyDelivery(state: AccountState, event: DeliveryEvent): void {
  const transaction = state.transactions.get(event.requestId);
  if (transaction === undefined || isUnresolved(transaction.progress)) return;
  if (event.kind === "attempted") releaseReordered(state, event, queuePositionOf(transaction.progress, event.delivery));
  advance(state, transaction, deliver(transaction.progress, event, state.events));
}

function deliver(resolved: Resolved, event: DeliveryEvent, number: number): Resolved {
  switch (event.kind) {
    case "attempt-begun":
      return beginAttempt(resolved, event);
    case "attempted":
      return recordAttempt(resolved, event, number);
    case "copied":
      return addCopy(resolved, event);
    case "resend-requested":
      return addResend(resolved, event, number);
  }
}

function releaseReordered(state: AccountState, { requestId }: Attempted, sent: QueuePosition | undefined): void {
  if (sent === undefined) return;
  for (const other of state.reordered) {
    const waiting = state.transactions.get(other);
    if (other === requestId || waiting === undefined || isUnresolved(waiting.progress)) continue;
    advance(state, waiting, countLaterSent(waiting.progress, sent));
  }
}

function advance(state: AccountState, transaction: Transaction, next: Resolved): void {
  const wasPending = isPending(transaction);
  transaction.progress = next;
  state.pending += Number(isPending(transaction)) - Number(wasPending);
  if (isReordered(transaction)) state.reordered.add(transaction.accepted.requestId);
  else state.reordered.delete(transaction.accepted.requestId);
}

function applyCallbacks(state: AccountState, { callbacks, registered }: CallbacksChanged): void {
  state.settings = { ...state.settings, callbacks };
  if (registered.length > 0)
    state.scenarios = state.scenarios.map((one) => ({
      ...one,
      registered: [...new Set([...(one.registered ?? []), ...registered])],
    }));
}

/** The kinds of events that may change which secret is in force. */
function applyToCredentials(state: AccountState, event: CredentialsChanged | ScenariosChanged | TimelineStepped): void {
  switch (event.kind) {
    case "credentials-changed":
      return applyCredentials(state, event);
    case "scenarios-changed":
      return applyScenarios(state, event);
    case "timeline-stepped":
      return applyStep(state, event);
  }
}

function applyCredentials(state: AccountState, { consumer_secret, any_secret }: CredentialsChanged): void {
  state.settings = { ...state.settings, consumer_secret, any_secret };
  state.scenarios = state.scenarios.map(({ overlay: { credentials: _credentials, ...overlay }, ...one }) => ({
    ...one,
    overlay,
  }));
}

/** The most former secrets that are remembered. */
const FORMER_SECRETS = 10;

/** Makes a change, and remembers the secret that was in force if the change replaces it. */
function withFormerSecrets(state: AccountState, at: Instant, change: () => void): void {
  const { consumer_secret: secret, any_secret: isAny } = settingsInForce(state);
  change();
  const now = settingsInForce(state);
  if (now.consumer_secret === secret && now.any_secret === isAny) return;
  const former = isAny ? { at } : { at, secret };
  const others = (state.formerSecrets ?? []).filter((known) => known.secret !== former.secret);
  state.formerSecrets = [former, ...others].slice(0, FORMER_SECRETS);
}

function applySubmitted(state: AccountState, event: SenderIdSubmitted): void {
  state.registrations.set(event.id, { submitted: event, plannedBy: state.events });
  state.wallet = debit(state.wallet, event.fee);
}

function applyDecided(state: AccountState, event: SenderIdDecided): void {
  const registration = state.registrations.get(event.id);
  if (registration === undefined) return;
  state.registrations.set(event.id, { ...registration, decided: event });
  if (event.verdict === "rejected") return;
  const grant = (grants: readonly SenderIdGrant[]): SenderIdGrant[] => granted(grants, registration.submitted);
  state.senderIds = grant(state.senderIds);
  state.scenarios = state.scenarios.map((one) => {
    const { sender_ids: listed } = one.overlay;
    return listed === undefined ? one : { ...one, overlay: { ...one.overlay, sender_ids: grant(listed) } };
  });
}

function granted(grants: readonly SenderIdGrant[], { senderId, carrier }: SenderIdSubmitted): SenderIdGrant[] {
  const carriers = grants.find(({ sender_id: known }) => known === senderId)?.carriers ?? [];
  const others = grants.filter(({ sender_id: known }) => known !== senderId);
  return [...others, { sender_id: senderId, carriers: [...new Set([...carriers, carrier])] }];
}
