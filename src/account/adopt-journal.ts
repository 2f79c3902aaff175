import { addKes, type Kes, NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings } from "../settings/account.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { CallbackUrl } from "../domain/callback-outcome.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import { foldJournal } from "./apply.ts";
import type { AccountSetup } from "./events.ts";
import type { AccountEvent } from "./account-event.ts";
import type { AccountState } from "./state.ts";
import { isDone, isUnsettled } from "./transaction.ts";

export interface JournalOwner {
  readonly consumerKey: string;
  /** Whether this machine's owner supplied the journal, so that its callback URLs may still name public hosts. */
  readonly trusted: boolean;
}

/** Converts an imported journal for an account. Throws an Error that explains what is wrong if the journal is inconsistent. */
export function adoptJournal(events: readonly AccountEvent[], owner: JournalOwner): AccountEvent[] {
  const adopted = events.map((event) => adopt(event, owner));
  checkJournal(adopted);
  return adopted;
}

/** Throws an Error that explains what is wrong if a journal is inconsistent. */
export function checkJournal(events: readonly AccountEvent[]): void {
  const state = foldJournal(events);
  if (state === undefined) throw new Error("a journal has at least one event");
  checkSums(state);
}

function adopt(event: AccountEvent, owner: JournalOwner): AccountEvent {
  switch (event.kind) {
    case "opened":
      return { ...event, settings: ownSettings(event.settings, owner), ...ownBefore(event, owner) };
    case "snapshot":
      return {
        ...event,
        state: {
          ...event.state,
          settings: ownSettings(event.state.settings, owner),
          scenarios: ownScenarios(event.state.scenarios, owner),
          ...ownBefore(event.state, owner),
        },
      };
    case "scenarios-changed":
      return { ...event, active: ownScenarios(event.active, owner) };
    case "callbacks-changed":
      return { ...event, callbacks: ownCallbacks(event.callbacks, owner) };
    default:
      return event;
  }
}

function ownBefore({ before }: { readonly before?: AccountSetup }, owner: JournalOwner): { before?: AccountSetup } {
  if (before === undefined) return {};
  return {
    before: { settings: ownSettings(before.settings, owner), scenarios: ownScenarios(before.scenarios, owner) },
  };
}

function ownSettings(settings: AccountSettings, owner: JournalOwner): AccountSettings {
  return { ...settings, consumer_key: owner.consumerKey, callbacks: ownCallbacks(settings.callbacks, owner) };
}

function ownScenarios(active: readonly RunningScenario[], { trusted }: JournalOwner): RunningScenario[] {
  return active.map((one) => {
    const urls = one.before?.callbacks;
    return {
      ...one,
      trusted: trusted && (one.trusted ?? false),
      ...(urls && { before: { ...one.before, callbacks: ownUrls(urls, trusted) } }),
    };
  });
}

function ownCallbacks(callbacks: CallbackSettings, { trusted }: JournalOwner): CallbackSettings {
  return { ...callbacks, urls: ownUrls(callbacks.urls, trusted) };
}

function ownUrls({ airtime, sms }: CallbackSettings["urls"], trusted: boolean): CallbackSettings["urls"] {
  return { ...(airtime && { airtime: own(airtime, trusted) }), ...(sms && { sms: own(sms, trusted) }) };
}

function own(callback: CallbackUrl, trusted: boolean): CallbackUrl {
  return { url: callback.url, trusted: trusted && callback.trusted };
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
