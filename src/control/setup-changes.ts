import * as z from "zod";
import { apply } from "../gateway/account/apply.ts";
import { checkpointOf, decodeState } from "../gateway/account/snapshot.ts";
import { CARRIERS } from "../gateway/domain/carrier.ts";
import { PRODUCTS } from "../gateway/domain/order.ts";
import { startScenarios, type ScenarioToStart } from "../gateway/account/decide/scenarios.ts";
import { showKes, available } from "../gateway/domain/kes.ts";
import { formatDuration, type Instant } from "../gateway/domain/time.ts";
import { type AccountState, settingsInForce } from "../gateway/account/state.ts";

type Show = (state: AccountState) => string | null;

/** Everything that scenarios set in an account, as people read it. */
const SETTINGS: readonly (readonly [setting: string, show: Show])[] = [
  ["wallet.balance", ({ wallet }) => showKes(available(wallet))],
  ...PRODUCTS.map((product): readonly [string, Show] => [
    `callbacks.${product}`,
    (state) => settingsInForce(state).callbacks.urls[product]?.url ?? null,
  ]),
  ["rate_limit", limitText],
  ["sender_ids", idsText],
  ["numbers.ported", portedText],
  ["credentials", credentialsText],
  ...CARRIERS.map((carrier): readonly [string, Show] => [
    `carrier.${carrier}`,
    (state) => settingsInForce(state).carrier?.[carrier] ?? "up",
  ]),
];

/** A change of one account setting. */
export const changeShape = z.object({
  setting: z.enum(SETTINGS.map(([setting]) => setting)),
  from: z.string().nullable().describe("null if there is none."),
  to: z.string().nullable(),
});

type Change = z.output<typeof changeShape>;

/** Returns what starting a scenario would change at once. */
export function setupChanges(state: AccountState, scenario: ScenarioToStart, at: Instant): Change[] {
  const after = startScenarios(state, [scenario], at).reduce<AccountState>(apply, decodeState(checkpointOf(state)));
  return changesBetween(state, after);
}

/** Returns what ending a scenario restores, or ending all of them if no name is given. */
export function changesRestored(state: AccountState, name?: string): Change[] {
  const scenarios = state.scenarios.filter(({ scenario }) => name !== undefined && scenario.name !== name);
  return changesBetween(state, { ...state, scenarios });
}

function changesBetween(before: AccountState, after: AccountState): Change[] {
  return SETTINGS.map(([setting, show]) => ({ setting, from: show(before), to: show(after) })).filter(
    ({ from, to }) => from !== to,
  );
}

function limitText(state: AccountState): string | null {
  const limit = settingsInForce(state).rate_limit;
  return limit === undefined ? null : `${limit.requests} per ${formatDuration(limit.per)}`;
}

/** Names no secret. */
function credentialsText(state: AccountState): string {
  const { revokedBy, consumer_secret: secret } = settingsInForce(state);
  if (revokedBy !== undefined) return "revoked";
  return secret === state.settings.consumer_secret ? "valid" : "rotated";
}

function idsText(state: AccountState): string | null {
  const ids = settingsInForce(state).sender_ids.map(({ sender_id: id, carriers }) =>
    carriers.length === CARRIERS.length ? id : `${id} (${carriers.join(", ")})`,
  );
  return ids.join(", ") || null;
}

function portedText(state: AccountState): string | null {
  const ported = Object.entries(settingsInForce(state).ported ?? {}).map(
    ([number, carrier]) => `${number}: ${carrier}`,
  );
  return ported.join(", ") || null;
}
