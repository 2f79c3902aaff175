import * as z from "zod";
import type { SettingsBefore } from "../../scenario/running-scenario.ts";
import type { Setup } from "../../scenario/setup.ts";
import type { RateLimit } from "../../settings/account.ts";
import type { CallbackSettings } from "../../settings/callbacks.ts";
import { formatKes, type Kes } from "../../domain/kes.ts";
import { formatDuration } from "../../domain/time.ts";
import { available } from "../../domain/wallet.ts";
import type { AccountState } from "../../account/state.ts";

/** A change of one account setting. */
export const changeShape = z.object({
  setting: z.enum(["wallet.balance", "callbacks.airtime", "callbacks.sms", "rate_limit", "sender_ids"]),
  from: z.string().nullable().describe("null if there is none."),
  to: z.string().nullable(),
});

type Change = z.output<typeof changeShape>;

/** Returns what a scenario's setup would change. */
export function setupChanges(state: AccountState, { wallet, callbacks, rate_limit, sender_ids }: Setup): Change[] {
  const urls = state.settings.callbacks.urls;
  return differing([
    ...balanceChange(state, wallet?.balance),
    ...(callbacks === undefined ? [] : urlChanges(urls, { ...texts(urls), ...callbacks })),
    ...limitChange(state, rate_limit),
    ...(sender_ids === undefined ? [] : [idsChange(state, sender_ids)]),
  ]);
}

/** Returns what ending a scenario would restore. */
export function restoringChanges(
  state: AccountState,
  setup: Setup,
  { available, callbacks, rateLimit }: SettingsBefore = {},
): Change[] {
  return differing([
    ...balanceChange(state, available),
    ...(callbacks === undefined ? [] : urlChanges(state.settings.callbacks.urls, texts(callbacks))),
    ...limitChange(state, rateLimit),
    ...(setup.sender_ids === undefined ? [] : [idsChange(state, state.settings.sender_ids)]),
  ]);
}

function differing(changes: readonly Change[]): Change[] {
  return changes.filter(({ from, to }) => from !== to);
}

function balanceChange({ wallet }: AccountState, to: Kes | undefined): Change[] {
  return to === undefined ? [] : [{ setting: "wallet.balance", from: formatKes(available(wallet)), to: formatKes(to) }];
}

type Urls = Readonly<Partial<Record<"airtime" | "sms", string>>>;

function texts({ airtime, sms }: CallbackSettings["urls"]): Urls {
  return { ...(airtime && { airtime: airtime.url }), ...(sms && { sms: sms.url }) };
}

function urlChanges(urls: CallbackSettings["urls"], to: Urls): Change[] {
  return [
    { setting: "callbacks.airtime", from: urls.airtime?.url ?? null, to: to.airtime ?? null },
    { setting: "callbacks.sms", from: urls.sms?.url ?? null, to: to.sms ?? null },
  ];
}

function limitChange({ settings }: AccountState, to: RateLimit | null | undefined): Change[] {
  return to === undefined
    ? []
    : [{ setting: "rate_limit", from: limitText(settings.rate_limit), to: limitText(to ?? undefined) }];
}

function limitText(limit: RateLimit | undefined): string | null {
  return limit === undefined ? null : `${limit.requests} per ${formatDuration(limit.per)}`;
}

function idsChange({ senderIds }: AccountState, to: NonNullable<Setup["sender_ids"]>): Change {
  return {
    setting: "sender_ids",
    from: [...senderIds.keys()].join(", "),
    to: to.map(({ sender_id }) => sender_id).join(", "),
  };
}
