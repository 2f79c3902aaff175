import * as z from "zod";
import { started } from "../gateway/account/decide/scenarios.ts";
import { readScenario } from "../gateway/scenario/read-scenario.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import type { RateLimit, SenderIdGrant } from "../gateway/settings/account-settings.ts";
import { showKes, available } from "../gateway/domain/kes.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import { type AccountState, inForce } from "../gateway/account/state.ts";

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
  const others = state.scenarios.filter((one) => one.scenario.name !== scenario.name);
  const scenarios = [...others, started(scenario, false, Number.POSITIVE_INFINITY)];
  return differing([balance, ...settingsChanges(state, { ...state, scenarios })]);
}

/** Returns what ending a scenario restores. */
export function restoringChanges(state: AccountState, name: string): Change[] {
  const scenarios = state.scenarios.filter(({ scenario }) => scenario.name !== name);
  return differing(settingsChanges(state, { ...state, scenarios }));
}

function differing(changes: readonly Change[]): Change[] {
  return changes.filter(({ from, to }) => from !== to);
}

function settingsChanges(state: AccountState, after: AccountState): Change[] {
  const [from, to] = [inForce(state), inForce(after)];
  return [
    {
      setting: "callbacks.airtime",
      from: from.callbacks.urls.airtime?.url ?? null,
      to: to.callbacks.urls.airtime?.url ?? null,
    },
    { setting: "callbacks.sms", from: from.callbacks.urls.sms?.url ?? null, to: to.callbacks.urls.sms?.url ?? null },
    { setting: "rate_limit", from: limitText(from.rate_limit), to: limitText(to.rate_limit) },
    { setting: "sender_ids", from: idsText(from.sender_ids), to: idsText(to.sender_ids) },
  ];
}

function limitText(limit: RateLimit | undefined): string | null {
  return limit === undefined ? null : `${limit.requests} per ${formatDuration(limit.per)}`;
}

function idsText(grants: readonly SenderIdGrant[]): string {
  return grants.map(({ sender_id }) => sender_id).join(", ");
}
