import * as z from "zod";
import { setUp, settingsOf, type StartingState, takeBack } from "../gateway/account/decide/setup.ts";
import { readScenario } from "../gateway/scenario/read-scenario.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import type { RateLimit, SenderIdGrant } from "../gateway/settings/account-settings.ts";
import { showKes, available } from "../gateway/domain/kes.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import type { AccountState } from "../gateway/account/state.ts";

/** A change of one account setting. */
export const changeShape = z.object({
  setting: z.enum(["wallet.balance", "callbacks.airtime", "callbacks.sms", "rate_limit", "sender_ids"]),
  from: z.string().nullable().describe("null if there is none."),
  to: z.string().nullable(),
});

type Change = z.output<typeof changeShape>;

/** Returns what a scenario's setup would change. */
export function setupChanges(state: AccountState, scenario: Scenario): Change[] {
  const { wallet } = readScenario(scenario).setup;
  const from = showKes(available(state.wallet));
  const balance: Change = {
    setting: "wallet.balance",
    from,
    to: wallet === undefined ? from : showKes(wallet.balance),
  };
  return differing([balance, ...settingsChanges(state, setUp(state, { scenario, since: 0, off: [] }).state)]);
}

/** Returns what ending a scenario restores. */
export function restoringChanges(state: AccountState, name: string): Change[] {
  return differing(settingsChanges(state, takeBack(state, name)));
}

function differing(changes: readonly Change[]): Change[] {
  return changes.filter(({ from, to }) => from !== to);
}

function settingsChanges(state: StartingState, after: StartingState): Change[] {
  const [from, to] = [settingsOf(state), settingsOf(after)];
  return [
    { setting: "callbacks.airtime", from: from.airtime?.url ?? null, to: to.airtime?.url ?? null },
    { setting: "callbacks.sms", from: from.sms?.url ?? null, to: to.sms?.url ?? null },
    { setting: "rate_limit", from: limitText(from.rate_limit), to: limitText(to.rate_limit) },
    { setting: "sender_ids", from: idsText(from.sender_ids), to: idsText(to.sender_ids) },
  ];
}

function limitText(limit: RateLimit | null): string | null {
  return limit === null ? null : `${limit.requests} per ${formatDuration(limit.per)}`;
}

function idsText(grants: readonly SenderIdGrant[]): string {
  return grants.map(({ sender_id }) => sender_id).join(", ");
}
