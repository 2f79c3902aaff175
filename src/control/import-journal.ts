import { isBeginning } from "../gateway/account/event-guards.ts";
import { checkJournal } from "../gateway/account/check-journal.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import type { AccountSetup } from "../gateway/account/events.ts";
import type { CallbackUrl } from "../gateway/settings/callbacks.ts";
import type { RunningScenario } from "../gateway/scenario/running-scenario.ts";
import type { SettingsBefore } from "../gateway/settings/account-settings.ts";
import type { AccountSettings } from "../gateway/settings/account-settings.ts";
import type { CallbackSettings } from "../gateway/settings/callbacks.ts";

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
  const again = imported.findLastIndex(isBeginning);
  if (again > 0) throw new Error(`events[${again}]: a journal begins only once`);
  return imported;
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
