import { isBeginning } from "../gateway/account/event-guards.ts";
import { checkJournal } from "../gateway/account/check-journal.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import type { AccountSetup } from "../gateway/account/events.ts";
import type { AccountSettings } from "../gateway/settings/account-settings.ts";

/** What an import leaves as it is. */
type Credentials = Pick<AccountSettings, "consumer_key"> &
  Partial<Pick<AccountSettings, "consumer_secret" | "any_secret">>;

/**
 * Converts an exported journal for an account, which keeps its credentials. `trusts` says which callback URLs are from this machine's owner, so that they may still name
 * public hosts. Throws an Error that explains what is wrong if the journal is inconsistent.
 */
export function importJournal(
  events: readonly AccountEvent[],
  credentials: Credentials,
  trusts: (url: string) => boolean,
): AccountEvent[] {
  const imported = events.map((event) => importEvent(withTrustIn(trusts, event), credentials));
  checkJournal(imported);
  const again = imported.findLastIndex(isBeginning);
  if (again > 0) throw new Error(`events[${again}]: a journal begins only once`);
  return imported;
}

/** The kinds of events that contain callback URLs. */
const WITH_URLS: readonly AccountEvent["kind"][] = ["opened", "snapshot", "scenarios-changed", "callbacks-changed"];

/** No header or field of a scenario is `true`, so every such key marks a URL, or a scenario whose URLs are trusted. */
function withTrustIn(trusts: (url: string) => boolean, event: AccountEvent): AccountEvent {
  if (!WITH_URLS.includes(event.kind)) return event;
  return JSON.parse(JSON.stringify(event), (_key, value) => {
    if (value?.trusted !== true) return value;
    const { url, scenario } = value;
    const urls: string[] = url === undefined ? Object.values(scenario?.setup?.callbacks ?? {}) : [url];
    return { ...value, trusted: urls.every(trusts) };
  });
}

function importEvent(event: AccountEvent, credentials: Credentials): AccountEvent {
  if (event.kind === "opened") return { ...event, ...importSetup(event, credentials) };
  if (event.kind === "credentials-changed") return { ...event, ...secretOf(credentials) };
  if (event.kind !== "snapshot") return event;
  return { ...event, state: { ...event.state, ...importSetup(event.state, credentials) } };
}

/** What is left of an account's credentials besides its key. */
function secretOf({ consumer_key: _key, ...secret }: Credentials): Omit<Credentials, "consumer_key"> {
  return secret;
}

interface Setup {
  readonly settings: AccountSettings;
  readonly before?: AccountSetup;
}

function importSetup({ settings, before }: Setup, credentials: Credentials): Setup {
  const own = (given: AccountSettings): AccountSettings => ({ ...given, ...credentials });
  return { settings: own(settings), ...(before && { before: { ...before, settings: own(before.settings) } }) };
}
