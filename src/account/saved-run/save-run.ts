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

/** A run as a scenario that repeats it. */
export interface SavedRun {
  readonly scenario: Scenario;
  /** What the scenario cannot say, in sentences. */
  readonly omissions: readonly string[];
}

/**
 * Makes a scenario of a journal: on a fresh account, the same requests in the same order lead to the same callbacks.
 * Undefined where the run's beginning was evicted.
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

/** The file: what it cannot say at its head, as comments. */
export function printSavedRun({ scenario, omissions }: SavedRun): string {
  const head = omissions.length === 0 ? [] : ["# Not said here:", ...omissions.map((sentence) => `# - ${sentence}`)];
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

/** What did not work, or was not there yet, from the first moment on. */
function firstSteps({ initial, senderIds }: FollowedRun): TimelineStep[] {
  const missing = [...senderIds.keys()].filter((senderId) => !initial.senderIds.has(senderId));
  return [
    ...(initial.isRevoked ? [{ at: 0, do: { credentials: "revoked" } } as const] : []),
    ...missing.map((senderId) => ({ at: 0, do: { sender_id: { [senderId]: "revoked" as const } } })),
    ...Array.from(initial.down, (carrier): TimelineStep => ({ at: 0, do: { carrier: { [carrier]: "down" } } })),
  ];
}
