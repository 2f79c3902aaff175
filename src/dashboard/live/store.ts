import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { accountTime } from "../../gateway/account/account-time.ts";
import { ANSWER_FORM } from "../../gateway/account/readings/answer.ts";
import { CALLBACK_FORM } from "../../gateway/account/readings/callback.ts";
import { settingsInForce } from "../../gateway/account/state.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { AccountSettings } from "../../gateway/settings/account-settings.ts";
import type { WireForm } from "../../gateway/account/wire.ts";
import { withProfileChange } from "../../gateway/settings/profile-change.ts";
import type { Profile } from "../../gateway/settings/profiles.ts";
import { ControlError, type Opener } from "../../control/client/control-client.ts";
import type { Caller } from "../api/curl.ts";
import type { AccountClient } from "../../verdict/endpoints/client.ts";
import { accountClient, adminToken, sandbox } from "../api/sandbox.ts";
import type { AccountReading } from "./account-reading.ts";
import { LiveAccount } from "./live-account.ts";
import { Refresher } from "./refresher.ts";
import { currentRoute } from "../base/route.ts";

/** The consumer keys of all accounts, the default one first. */
export const accounts = signal<readonly string[]>([]);

/** The profile of the gateway that runs, the same for every account. */
export const profile = signal<Profile | undefined>(undefined);

/** In which form the gateway sends to each account. */
const forms = signal<Readonly<Record<string, WireForm>>>({});

/** In which form the gateway sends to the shown account: until that is listed, as its document has it. */
export function wireForm(): WireForm {
  const usual = { ...ANSWER_FORM, ...CALLBACK_FORM, ucs2_concatenated: 70 } as const;
  return withProfileChange(
    forms.value[accountKey.value ?? ""] ?? usual,
    account.value?.reading.state?.settings.profile_change,
  );
}

/** Whether the sandbox requires its admin token. */
export const isTokenAsked = signal(false);

/** The shown account: the one in the URL, or the default one. */
export const accountKey = computed(() => currentRoute.value.query["account"] ?? accounts.value[0]);

/** Returns a client for the shown account's control API. */
export function shownClient(): AccountClient {
  return accountClient(accountKey.peek() ?? "");
}

/** The shown account, followed live. */
export const live = signal<LiveAccount | undefined>(undefined);

/** Requests that belong to no account, followed live. Also reports when accounts are opened or dropped. */
export const unclaimed = signal<LiveAccount | undefined>(undefined);

/** The shown account, updated whenever it has changed. Undefined until its first event arrives. */
export const account: ReadonlySignal<{ readonly reading: AccountReading; readonly revision: number } | undefined> =
  computed(() => {
    const { value } = live;
    if (value === undefined) return undefined;
    const revision = value.revision.value;
    return value.reading.state === undefined ? undefined : { reading: value.reading, revision };
  });

/** The shown account's money, the same everywhere until the next redraw, although the account goes on. */
export const currentWallet = computed(() => account.value?.reading.state?.wallet);

/** Whether a request can be opened: the journal may have what the page does not keep. */
export function canBeOpened(requestId: string): boolean {
  const { reading } = account.value ?? {};
  return reading?.find(requestId) !== undefined || (reading?.older ?? 0) > 0;
}

/** Returns the settings in force in the shown account. */
export function accountSettingsInForce(): AccountSettings | undefined {
  const state = account.value?.reading.state;
  return state && settingsInForce(state);
}

/** Returns the shown account's credentials and the gateway's origin. */
export function caller(): Caller {
  const { consumer_secret: consumerSecret = "" } = accountSettingsInForce() ?? {};
  return { origin: location.origin, consumerKey: accountKey.value ?? "", consumerSecret };
}

/** Wall time, updated every second while the page is visible. */
export const wallNow = signal(Date.now());

/** When the connection was lost, in wall time, until it is back: what the clock shows since, nobody knows. */
export const lostSince = computed(() => {
  const connection = live.value?.connection.value;
  return connection?.is === "lost" ? connection.since : undefined;
});

/** The current time on the account's clock. */
export const accountNow: ReadonlySignal<Instant> = computed(() => {
  const state = account.value?.reading.state;
  const wall = lostSince.value ?? wallNow.value;
  return state === undefined ? wall : accountTime(state.clock, wall, state.latest);
});

/** Whether the shown account did not exist when its journal was requested. */
const isMissing = computed(() => {
  const connection = live.value?.connection.value;
  return connection?.is === "refused" && connection.status === 404;
});

/** Increases when a missing account has been opened again, so that it is followed again. */
const reopened = signal(0);

/** Starts following what the URL names. Called once, at the start of the page. */
export function startStore(): void {
  setInterval(() => {
    if (!document.hidden) wallNow.value = Date.now();
  }, 1_000);
  effect(() => {
    void adminToken.value;
    return follow("", sandbox(), unclaimed);
  });
  const refresher = new Refresher(listAccounts);
  effect(() => {
    void unclaimed.value?.accountsChanged.value;
    void isMissing.value;
    refresher.ask();
  });
  effect(() => {
    const key = accountKey.value;
    void adminToken.value;
    void reopened.value;
    if (key !== undefined) return follow(key, accountClient(key), live);
    live.value = undefined;
    return undefined;
  });
}

export async function listAccounts(): Promise<void> {
  try {
    const { items } = await sandbox().get("accounts");
    accounts.value = items.map(({ consumer_key: key }) => key);
    profile.value = items[0]?.profile;
    forms.value = Object.fromEntries(items.map(({ consumer_key: key, form }) => [key, form]));
    if (isMissing.value && accounts.value.includes(accountKey.value ?? "")) reopened.value += 1;
    isTokenAsked.value = false;
  } catch (error) {
    // If the sandbox does not answer, the accounts arrive once it does.
    isTokenAsked.value = error instanceof ControlError && error.status === 401;
  }
}

/** Returns a function that stops following. */
function follow(consumerKey: string, client: Opener, shown: Signal<LiveAccount | undefined>): () => void {
  const followed = new LiveAccount(consumerKey, client);
  shown.value = followed;
  void followed.follow();
  return () => followed.stop();
}
