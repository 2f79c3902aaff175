import { isBeginning } from "../event-guards.ts";
import type { JournalSlice } from "../readings/journal-slice.ts";
import type { LabelledRandom } from "../../domain/draws.ts";
import { type Carrier, CARRIERS } from "../../domain/carrier.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { Setup } from "../../scenario/setup.ts";
import type { TimelineStep } from "../../scenario/timeline.ts";
import type { SenderIdGrant } from "../../settings/account.ts";
import { printScenario } from "../../scenario/print-scenario.ts";
import { type FollowedRun, followRun, OMISSIONS } from "./follow-run.ts";
import { savedRules } from "./saved-rules.ts";

/** A run converted to a scenario that repeats it. */
export interface SavedRun {
  readonly scenario: Scenario;
  /** What the scenario cannot express, in sentences. */
  readonly omissions: readonly string[];
}

/**
 * Converts a journal to a scenario: on a fresh account, the same requests in the same order lead to the same callbacks. Returns undefined
 * if the run's beginning was evicted.
 */
export function saveRun({ events }: JournalSlice, random: LabelledRandom): SavedRun | undefined {
  const begin = events.findLastIndex(isBeginning);
  const opened = events[begin];
  if (opened?.kind !== "opened") return undefined;
  const run = followRun(opened, events.slice(begin + 1), random);
  const scenario: Scenario = {
    name: "saved-run",
    description: `A run of the account ${opened.settings.consumer_key}: the same requests in the same order lead to the same callbacks.`,
    setup: setupOf(run),
    rules: savedRules(run.saved),
    timeline: [...firstSteps(run), ...run.timeline],
  };
  return { scenario, omissions: Array.from(run.omissions, ([what, count]) => `${count} ${OMISSIONS[what]}`) };
}

/** Prints the file, with what it cannot express as comments at its head. */
export function printSavedRun({ scenario, omissions }: SavedRun): string {
  const head = omissions.length === 0 ? [] : ["# Not included:", ...omissions.map((sentence) => `# - ${sentence}`)];
  return [...head, printScenario(scenario)].join("\n");
}

function setupOf({ initial, identity, state, senderIds }: FollowedRun): Setup {
  const { airtime, sms } = state.settings.callbacks.urls;
  return {
    wallet: { balance: initial.available },
    sender_ids: grants(senderIds),
    ...((airtime ?? sms) && { callbacks: { ...(airtime && { airtime: airtime.url }), ...(sms && { sms: sms.url }) } }),
    ...(initial.rateLimit && { rate_limit: initial.rateLimit }),
    identity,
  };
}

function grants(senderIds: ReadonlyMap<string, ReadonlySet<Carrier>>): SenderIdGrant[] {
  return Array.from(senderIds, ([senderId, carriers]) => ({
    sender_id: senderId,
    carriers: CARRIERS.filter((carrier) => carriers.has(carrier)),
  }));
}

/** Returns steps at 0 for what was not working or not yet there from the start. */
function firstSteps({ initial, senderIds }: FollowedRun): TimelineStep[] {
  const missing = [...senderIds.keys()].filter((senderId) => !initial.senderIds.has(senderId));
  return [
    ...(initial.isRevoked ? [{ at: 0, do: { credentials: "revoked" } } as const] : []),
    ...missing.map((senderId) => ({ at: 0, do: { sender_id: { [senderId]: "revoked" as const } } })),
    ...Array.from(initial.down, (carrier): TimelineStep => ({ at: 0, do: { carrier: { [carrier]: "down" } } })),
  ];
}
