import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { accountTime } from "../account/clock.ts";
import type { Instant } from "../domain/time.ts";
import { type ControlClient, ControlError } from "../control-client/control-client.ts";
import type { Caller } from "./api/curl.ts";
import type { AccountDetail, List } from "../control-client/shapes.ts";
import { accountClient, adminToken, sandbox } from "./api/sandbox.ts";
import type { AccountReading } from "./live/account-reading.ts";
import { LiveAccount } from "./live/live-account.ts";
import { Refresher } from "./live/refresher.ts";
import { route } from "./route.ts";

/** The consumer keys of all accounts, the default one first. */
export const accounts = signal<readonly string[]>([]);

/** Whether every account was dropped. */
export const hasNoAccount = signal(false);

/** Whether the sandbox asks for its admin token. */
export const isTokenAsked = signal(false);

/** The account that the page shows: the one in the address, or the default one. */
export const accountKey = computed(() => route.value.query["account"] ?? accounts.value[0]);

/** That account, followed live. */
export const live = signal<LiveAccount | undefined>(undefined);

/** Whether the journal no longer reaches back to the first request. */
export function isCut(): boolean {
  return evictedCount.value > 0;
}

/** What the gateway refused because it belongs to no account, followed live; it also tells when accounts are opened or dropped. */
export const unclaimed = signal<LiveAccount | undefined>(undefined);

/** What is known of the shown account, read anew whenever it has changed. Undefined until its first event is there. */
export const account: ReadonlySignal<{ readonly reading: AccountReading; readonly revision: number } | undefined> = computed(() => {
  const { value } = live;
  if (value === undefined) return undefined;
  const revision = value.revision.value;
  return value.reading.state === undefined ? undefined : { reading: value.reading, revision };
});

/** The shown account's credentials, and where the gateway is. */
export function caller(): Caller {
  const { consumer_secret: consumerSecret = "" } = account.value?.reading.state?.settings ?? {};
  return { origin: location.origin, consumerKey: accountKey.value ?? "", consumerSecret };
}

/** Requests that the journal no longer reaches back to. */
export const evictedCount = computed(() => {
  const { state, rows } = account.value?.reading ?? {};
  return Math.max(0, (state?.requests ?? 0) - (rows?.length ?? 0));
});

/** Wall time, a second at a time while the page is seen. */
export const wallNow = signal(Date.now());

/** What the account's clock shows. */
export const accountNow: ReadonlySignal<Instant> = computed(() => {
  const state = account.value?.reading.state;
  return state === undefined ? wallNow.value : accountTime(state.clock, wallNow.value, state.latest);
});

/** Whether the shown account was not there when its journal was asked for. */
const isMissing = computed(() => {
  const connection = live.value?.connection.value;
  return connection?.is === "refused" && connection.status === 404;
});

/** Grows when an account that was missing is listed: it was opened again, and is followed again. */
const reopened = signal(0);

/** Begins to follow what the address says; once, at the start of the page. */
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
    const { items } = await sandbox().get<List<Pick<AccountDetail, "consumer_key">>>("accounts");
    accounts.value = items.map(({ consumer_key: key }) => key);
    hasNoAccount.value = items.length === 0;
    if (isMissing.value && accounts.value.includes(accountKey.value ?? "")) reopened.value += 1;
    isTokenAsked.value = false;
  } catch (error) {
    // A sandbox that does not answer tells of its accounts once it does.
    isTokenAsked.value = error instanceof ControlError && error.status === 401;
  }
}

/** Answers what ends it. */
function follow(consumerKey: string, client: ControlClient, shown: Signal<LiveAccount | undefined>): () => void {
  const followed = new LiveAccount(consumerKey, client);
  shown.value = followed;
  void followed.follow();
  return () => followed.stop();
}
