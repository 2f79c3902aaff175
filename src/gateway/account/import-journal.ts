import { addKes, type Kes, NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings } from "../settings/account.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { CallbackUrl } from "../domain/callback-outcome.ts";
import type { RunningScenario, SettingsBefore } from "../scenario/running-scenario.ts";
import { foldJournal } from "./apply.ts";
import type { AccountSetup } from "./events.ts";
import type { AccountEvent } from "./account-event.ts";
import type { AccountState } from "./state.ts";
import { isDone, isUnsettled } from "./transaction.ts";

/**
 * Converts an exported journal for an account. `isTrusted` says whether this machine's owner supplied it, so that its callback URLs may still
 * name public hosts. Throws an Error that explains what is wrong if the journal is inconsistent.
 */
export function importJournal(
  events: readonly AccountEvent[],
  consumerKey: string,
  isTrusted: boolean,
): AccountEvent[] {
  const imported = events.map((event) => importEvent(event, consumerKey, isTrusted));
  checkJournal(imported);
  return imported;
}

/** Throws an Error that explains what is wrong if a journal is inconsistent. */
export function checkJournal(events: readonly AccountEvent[]): void {
  const state = foldJournal(events);
  if (state === undefined) throw new Error("a journal has at least one event");
  checkSums(state);
}

function importEvent(event: AccountEvent, consumerKey: string, isTrusted: boolean): AccountEvent {
  switch (event.kind) {
    case "opened":
      return { ...event, ...importSetup(event, consumerKey, isTrusted) };
    case "snapshot": {
      const setup = importSetup(event.state, consumerKey, isTrusted);
      return {
        ...event,
        state: { ...event.state, ...setup, scenarios: importScenarios(event.state.scenarios, isTrusted) },
      };
    }
    case "scenarios-changed":
      return { ...event, active: importScenarios(event.active, isTrusted) };
    case "callbacks-changed":
      return { ...event, callbacks: importCallbacks(event.callbacks, isTrusted) };
    default:
      return event;
  }
}

interface Setup {
  readonly settings: AccountSettings;
  readonly before?: AccountSetup;
}

function importSetup({ settings, before }: Setup, consumerKey: string, isTrusted: boolean): Setup {
  const ofAccount = (given: AccountSettings): AccountSettings => ({
    ...given,
    consumer_key: consumerKey,
    callbacks: importCallbacks(given.callbacks, isTrusted),
  });
  if (before === undefined) return { settings: ofAccount(settings) };
  const scenarios = importScenarios(before.scenarios, isTrusted);
  return { settings: ofAccount(settings), before: { settings: ofAccount(before.settings), scenarios } };
}

function importScenarios(active: readonly RunningScenario[], isTrusted: boolean): RunningScenario[] {
  return active.map((one) => ({
    ...one,
    trusted: isTrusted && (one.trusted ?? false),
    ...(one.before && { before: { ...one.before, ...importUrls(one.before, isTrusted) } }),
  }));
}

function importCallbacks(callbacks: CallbackSettings, isTrusted: boolean): CallbackSettings {
  return { ...callbacks, urls: importUrls(callbacks.urls, isTrusted) };
}

function importUrls(urls: SettingsBefore, isTrusted: boolean): CallbackSettings["urls"] {
  const own = ({ url, trusted }: CallbackUrl): CallbackUrl => ({ url, trusted: isTrusted && trusted });
  return { ...(urls.airtime && { airtime: own(urls.airtime) }), ...(urls.sms && { sms: own(urls.sms) }) };
}

function checkSums({ wallet, transactions, unresolved, stuck, requests }: AccountState): void {
  const all = [...transactions.values()];
  const held = all.reduce<Kes>(
    (sum, { accepted, progress }) => (isUnsettled(progress) ? addKes(sum, accepted.hold) : sum),
    NO_MONEY,
  );
  if (held !== wallet.held)
    throw new Error(`the wallet holds ${wallet.held} cents, but the queued transactions hold ${held}`);
  if (wallet.balance < wallet.held)
    throw new Error(`the wallet holds ${wallet.held} cents but has only ${wallet.balance}`);
  const open = all.filter((transaction) => !isDone(transaction)).length;
  if (open !== unresolved)
    throw new Error(`the journal counts ${unresolved} unresolved transactions, but there are ${open}`);
  const never = all.filter(({ progress }) => progress.state === "stuck").length;
  if (never !== stuck) throw new Error(`the journal counts ${stuck} stuck transactions, but there are ${never}`);
  if (requests < all.length)
    throw new Error(`the journal counts ${requests} requests, but there are ${all.length} transactions`);
}
