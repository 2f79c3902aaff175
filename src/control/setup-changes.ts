import * as z from "zod";
import { apply } from "../gateway/account/apply.ts";
import { checkpointOf, decodeState } from "../gateway/account/snapshot.ts";
import { PRODUCTS } from "../gateway/domain/order.ts";
import { loadScenarios, type ScenarioToStart } from "../gateway/account/decide/scenarios.ts";
import type { RateLimit, SenderIdGrant } from "../gateway/settings/account-settings.ts";
import { showKes, available } from "../gateway/domain/kes.ts";
import { formatDuration, type Instant } from "../gateway/domain/time.ts";
import { type AccountState, inForce } from "../gateway/account/state.ts";

/** A change of one account setting. */
export const changeShape = z.object({
  setting: z.enum(["wallet.balance", "callbacks.airtime", "callbacks.sms", "rate_limit", "sender_ids"]),
  from: z.string().nullable().describe("null if there is none."),
  to: z.string().nullable(),
});

type Change = z.output<typeof changeShape>;

/** Returns what starting a scenario would change at once. */
export function setupChanges(state: AccountState, scenario: ScenarioToStart, at: Instant): Change[] {
  const after = loadScenarios(state, [scenario], at).reduce<AccountState>(apply, decodeState(checkpointOf(state)));
  const [from, to] = [showKes(available(state.wallet)), showKes(available(after.wallet))];
  return differing([{ setting: "wallet.balance", from, to }, ...settingsChanges(state, after)]);
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
    ...PRODUCTS.map((product) => ({
      setting: `callbacks.${product}` as const,
      from: from.callbacks.urls[product]?.url ?? null,
      to: to.callbacks.urls[product]?.url ?? null,
    })),
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
