import { changeClock, type ClockChange } from "../account/account-time.ts";
import { decideSenderId, type Submission, submitSenderId } from "../account/decide/sender-id.ts";
import { settleTransaction, type FinalResult } from "../account/decide/settle.ts";
import type { SenderIdDecided, SenderIdSubmitted } from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import { type AccountState, settingsInForce } from "../account/state.ts";
import { isUnresolved, type Transaction } from "../account/transaction.ts";
import { isCharged } from "../domain/order.ts";
import { cents, showKes, type Kes, LARGEST_KES, NO_MONEY, subtractKes } from "../domain/kes.ts";
import type { ScriptedCallback } from "../scenario/effects/callback-flags.ts";
import { CALLBACK_URLS, type UrlUse } from "../domain/callback-outcome.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import { formatInstant, type Instant } from "../domain/time.ts";
import type { RunningAccount } from "./account.ts";
import { EngineError } from "./engine-error.ts";
import {
  startScenarios,
  type ScenarioToStart,
  type RuleSwitch,
  type Swap,
  swapScenario,
  switchRule,
  stopScenarios,
} from "../account/decide/scenarios.ts";
import { counted } from "../domain/counted.ts";

/** Adds money, as a paybill payment would. Throws an `EngineError` (invalid) if it adds nothing, or if the wallet could not store the sum. */
export function topUp(account: RunningAccount, amount: Kes): void {
  account.journal.append(({ wallet }, at) => {
    refuseUnlessKept(amount, wallet.balance, cents(1));
    return [{ kind: "topped-up", at, amount }];
  });
}

/** Sets the available balance; holds stay. Throws an `EngineError` (invalid) if the wallet could not store the sum. */
export function setBalance(account: RunningAccount, available: Kes): void {
  account.journal.append(({ wallet }, at) => {
    refuseUnlessKept(available, wallet.held);
    return [{ kind: "wallet-set", at, available }];
  });
}

function refuseUnlessKept(amount: Kes, besides: Kes, least = NO_MONEY): void {
  if (amount >= least && amount <= LARGEST_KES - besides) return;
  const room = showKes(subtractKes(LARGEST_KES, besides));
  throw new EngineError(
    "invalid",
    `KES ${showKes(amount)} is not between ${showKes(least)} and ${room}`,
    "use an amount in this range",
  );
}

/** Changes the account's own callback settings. The `registered` URLs also take the place of those that scenarios have set. */
export function setCallbacks(
  account: RunningAccount,
  callbacks: CallbackSettings,
  registered: readonly UrlUse[] = CALLBACK_URLS,
): void {
  account.journal.append((_state, at) => [{ kind: "callbacks-changed", at, callbacks, registered }]);
}

/** Replaces the account's secret: from now on the former one is refused, whatever scenarios have made of the credentials so far. */
export function rotateSecret(account: RunningAccount, secret: string): void {
  account.journal.append((_state, at) => [
    { kind: "credentials-changed", at, consumer_secret: secret, any_secret: false },
  ]);
}

/** Changes the account's clock. Setting a manual clock forward advances it. Throws an `EngineError` (invalid) for a time in the past. */
export async function setClock(account: RunningAccount, change: ClockChange, within: number): Promise<void> {
  const { clock } = account.state;
  if (clock.mode === "manual" && change.start !== undefined && change.start > account.now())
    await advanceTo(account, change.start, within);
  account.journal.append((_state, at) => {
    const changed = changeClock(change, at, account.wall.now());
    if ("problem" in changed) throw new EngineError("invalid", changed.problem, changed.repair);
    return [{ kind: "clock-changed", at: Math.max(at, change.start ?? at), clock: changed }];
  });
}

async function advanceTo(account: RunningAccount, to: Instant, within: number): Promise<void> {
  const { isComplete, now } = await account.advance({ to }, within);
  if (!isComplete)
    throw new EngineError(
      "timed-out",
      `the clock stopped at ${formatInstant(now)} because not all due work is done`,
      "set it again to continue",
    );
}

export interface Settlement {
  readonly resultCode: number;
  readonly resultDesc: string;
}

/** Settles a queued or stuck transaction now, by default with the planned result. Throws an `EngineError` (not found or conflict). */
export function settleNow(account: RunningAccount, requestId: string, settlement: Settlement | undefined): void {
  account.journal.append((state, at) => {
    const transaction = findTransaction(account, requestId);
    const settled = settleTransaction(state, requestId, at, resultOf(account, transaction, settlement));
    if (settled === undefined)
      throw new EngineError(
        "conflict",
        `${requestId} has already ${transaction.progress.state}`,
        "resend delivers its callback again",
      );
    return [settled];
  });
  account.sendDue(requestId);
}

function resultOf(
  account: RunningAccount,
  { accepted }: Transaction,
  settlement: Settlement | undefined,
): FinalResult | undefined {
  if (settlement === undefined) return undefined;
  const isSuccess = settlement.resultCode === account.gateway.result_codes.success;
  const charge = isCharged(accepted.order, isSuccess ? "success" : "failed", account.gateway)
    ? accepted.hold
    : NO_MONEY;
  return { ...settlement, isSuccess, charge };
}

/**
 * Delivers the callbacks of resolved transactions again, all or none; `edited` replaces parts of their content. Throws an `EngineError` (not
 * found or conflict).
 */
export function resend(account: RunningAccount, requestIds: readonly string[], edited?: ScriptedCallback): void {
  account.journal.append((state, at) => {
    for (const requestId of requestIds) checkResendable(findTransaction(account, requestId), state);
    return requestIds.map((requestId) => ({ kind: "resend-requested", at, requestId, scripted: edited }));
  });
  for (const requestId of requestIds) account.sendDue(requestId);
}

function checkResendable({ accepted, progress }: Transaction, state: AccountState): void {
  const { requestId, order } = accepted;
  if (isUnresolved(progress))
    throw new EngineError(
      "conflict",
      `${requestId} is still ${progress.state}`,
      "settle it, or advance the clock, first",
    );
  if (settingsInForce(state).callbacks.urls[order.operation] === undefined)
    throw new EngineError(
      "conflict",
      `no callback URL registered for ${order.operation}`,
      "register one first: kredo callbacks URL",
    );
}

/** Submits a sender ID to carriers. Throws `Refused` 402 or 422. */
export function registerSenderId(account: RunningAccount, submission: Submission): readonly SenderIdSubmitted[] {
  return account.journal.run((state, at) => {
    const submitted = submitSenderId(state, submission, account.moment(at));
    return { events: submitted, answer: submitted };
  });
}

/** Approves or rejects an open registration now. Throws an `EngineError` (not found or conflict). */
export function decideRegistration(account: RunningAccount, decision: Omit<SenderIdDecided, "kind" | "at">): void {
  account.journal.append((state, at) => {
    if (!state.registrations.has(decision.id))
      throw new EngineError("not-found", `no registration has the id ${decision.id}`, "GET sender-ids lists them");
    const decided = decideSenderId(state, { ...decision, at });
    if (decided === undefined)
      throw new EngineError("conflict", `registration ${decision.id} is already decided`, "submit the sender ID again");
    return [decided];
  });
}

/** Finds a transaction. Throws an `EngineError` (not found) if it does not exist or was evicted. */
export function findTransaction(account: RunningAccount, requestId: string): Transaction {
  const transaction = account.state.transactions.get(requestId);
  if (transaction !== undefined) return transaction;
  const repair =
    account.journal.evicted > 0
      ? `${counted(account.journal.evicted, "older request was", "older requests were")} evicted from the journal; raise journal.max_transactions`
      : "list them: kredo transactions";
  throw new EngineError("not-found", `no transaction has the request_id ${requestId}`, repair);
}

/**
 * Starts scenarios on an account: their time counts from now, and their setup is in force until they end. Throws an `EngineError` (conflict) if the account
 * had too many rules.
 */
export function beginScenarios(account: RunningAccount, loaded: readonly ScenarioToStart[]): void {
  account.journal.append((state, at) => {
    const events = loaded.length === 0 ? [] : startScenarios(state, loaded, at);
    refuseTooManyRules(events, account);
    return events;
  });
}

function refuseTooManyRules(events: readonly AccountEvent[], { maxRules }: RunningAccount): void {
  for (const event of events) {
    if (event.kind !== "scenarios-changed") continue;
    const rules = event.active.reduce((sum, { scenario }) => sum + Math.max(1, scenario.rules?.length ?? 0), 0);
    if (rules > maxRules)
      throw new EngineError(
        "conflict",
        `the account's scenarios would have ${counted(rules, "rule")}, more than max_rules (${maxRules})`,
        "end some scenarios first: kredo scenario stop NAME",
      );
  }
}

/** Stops one scenario, or all of them. Throws an `EngineError` (not found) if it is not active. */
export function endScenarios(account: RunningAccount, name: string | undefined): void {
  account.journal.append((state, at) => {
    const events = stopScenarios(state, name, at);
    if (events.length === 0 && name !== undefined) throw notActive(`no active scenario is called ${name}`);
    return events;
  });
}

/**
 * Replaces a scenario with its new version. Returns false if it is not active or the new name is taken. Throws an `EngineError` (conflict)
 * if the account had too many rules.
 */
export function swapOnAccount(account: RunningAccount, swap: Swap): boolean {
  return account.journal.run((state, at) => {
    if (isSwapped(state.scenarios, swap)) return { events: [], answer: true };
    const changed = swapScenario(state, swap, at);
    const events = changed === undefined ? [] : [changed];
    refuseTooManyRules(events, account);
    return { events, answer: changed !== undefined };
  });
}

/** Returns whether the new version is already active. Each replica that watches the file applies it. */
function isSwapped(active: AccountState["scenarios"], { was, scenario, trusted }: Swap): boolean {
  const now = active.find((one) => one.scenario.name === scenario.name);
  if (was !== scenario.name || now === undefined) return false;
  return (
    (trusted === undefined || trusted === now.trusted) && JSON.stringify(now.scenario) === JSON.stringify(scenario)
  );
}

/** Switches a rule on or off. Throws an `EngineError` (not found) if there is no such rule. */
export function setRule(account: RunningAccount, wanted: RuleSwitch): void {
  account.journal.append((state, at) => {
    const changed = switchRule(state, wanted, at);
    if (changed === undefined)
      throw notActive(`no active scenario is called ${wanted.scenario} and has a rule "${wanted.rule}"`);
    return [changed];
  });
}

function notActive(problem: string): EngineError {
  return new EngineError("not-found", problem, "list the active ones: kredo scenario list");
}
