import type { AccountEvent } from "../account-event.ts";
import { credentialsRevokedBy, isCarrierDown, isRegistered } from "../outages.ts";
import type { AccountState } from "../state.ts";
import { type Carrier, CARRIERS } from "../../domain/carrier.ts";
import type { Kes } from "../../domain/kes.ts";
import type { TimelineAction } from "../../scenario/timeline.ts";
import type { RateLimit } from "../../settings/account.ts";
import { available } from "../../domain/wallet.ts";

/** The parts of an account that a timeline can change. */
export interface TimelineState {
  readonly available: Kes;
  readonly rateLimit: RateLimit | undefined;
  readonly isRevoked: boolean;
  readonly senderIds: ReadonlySet<string>;
  readonly down: ReadonlySet<Carrier>;
}

export function timelineStateOf(state: AccountState): TimelineState {
  return {
    available: available(state.wallet),
    rateLimit: state.settings.rate_limit,
    isRevoked: credentialsRevokedBy(state) !== undefined,
    senderIds: new Set([...state.senderIds.keys()].filter((senderId) => isRegistered(state, senderId))),
    down: new Set(CARRIERS.filter((carrier) => isCarrierDown(state, carrier))),
  };
}

/** Returns the actions with which a timeline gets from one state to another. */
export function actionsBetween(before: TimelineState, after: TimelineState): TimelineAction[] {
  return [
    ...(before.available === after.available ? [] : [{ wallet: { balance: after.available } }]),
    ...limitActions(before, after),
    ...(before.isRevoked === after.isRevoked
      ? []
      : [{ credentials: after.isRevoked ? ("revoked" as const) : ("restored" as const) }]),
    ...senderIdActions(before, after),
    ...CARRIERS.filter((carrier) => before.down.has(carrier) !== after.down.has(carrier)).map(
      (carrier): TimelineAction => ({
        carrier: { [carrier]: after.down.has(carrier) ? "down" : "up" },
      }),
    ),
  ];
}

/** Returns whether a timeline step can reproduce the event. */
export function changesTimelineState({ kind }: AccountEvent): boolean {
  return CHANGING.has(kind);
}

const CHANGING: ReadonlySet<AccountEvent["kind"]> = new Set([
  "topped-up",
  "wallet-set",
  "sender-id-submitted",
  "sender-id-decided",
  "account-changed",
  "scenarios-changed",
  "timeline-stepped",
]);

function limitActions({ rateLimit: before }: TimelineState, { rateLimit: after }: TimelineState): TimelineAction[] {
  const isSame = before?.requests === after?.requests && before?.per === after?.per;
  return isSame ? [] : [{ rate_limit: after ?? "none" }];
}

function senderIdActions({ senderIds: before }: TimelineState, { senderIds: after }: TimelineState): TimelineAction[] {
  const changed = [...new Set([...before, ...after])].filter(
    (senderId) => before.has(senderId) !== after.has(senderId),
  );
  return changed.map((senderId) => ({ sender_id: { [senderId]: after.has(senderId) ? "restored" : "revoked" } }));
}
