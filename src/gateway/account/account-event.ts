import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { kes, moment, requestId } from "../domain/schemas.ts";
import { scriptedCallback } from "../scenario/effects/plan.ts";
import { runningScenario } from "../scenario/running-scenario.ts";
import { senderIdGrant, settings } from "../settings/account-settings.ts";
import { clockState } from "../settings/clock.ts";
import {
  accepted,
  accountSetup,
  attempted,
  copied,
  clientLeft,
  eventSchemas,
  reversed,
  senderIdDecided,
  senderIdSubmitted,
  settled,
} from "./events.ts";

/** The number of the event that planned something, which decides the order of what is due at one moment. */
const plannedBy = z.int();

/** One delivery of the callback, tried until it is acknowledged or the retry policy ends. */
export const delivery = z.object({
  number: z.int(),
  cause: z.enum(["result", "resend"]),
  tries: z.int(),
  next: z.union([z.literal("none"), z.object({ dueAt: moment, plannedBy })]),
  /** An attempt was begun and its outcome is unknown; "again" if that is also true of the attempt before it. */
  begun: z.enum(["once", "again"]).exactOptional(),
  scripted: scriptedCallback.exactOptional(),
  /** How many later callbacks still go first, unless the wait times out. */
  reorder: z.int().exactOptional(),
});

const resolved = {
  settled,
  /** The number of its settled event. */
  settledBy: z.int(),
  deliveries: z.array(delivery),
  attempts: z.array(attempted.extend({ copy: copied.exactOptional() })),
};

export const progress = z.discriminatedUnion("state", [
  z.object({ state: z.literal("queued"), settlesAt: moment, plannedBy }),
  /** Never settles, because of a scenario; only the control API can settle it. */
  z.object({ state: z.literal("stuck") }),
  z.object({ state: z.literal("succeeded"), ...resolved }),
  z.object({ state: z.literal("failed"), ...resolved }),
  /** It succeeded, and was taken back. */
  z.object({ state: z.literal("reversed"), ...resolved, reversed }),
]);

/** One submission of a sender ID. */
const registration = z.object({
  submitted: senderIdSubmitted,
  plannedBy,
  decided: senderIdDecided.exactOptional(),
});

/** A secret with the moment at which another one replaced it. Without a secret, any was accepted until then. */
const formerSecret = z.object({ at: moment, secret: z.string().exactOptional() });

/** A timeline step that was carried out, with the last time and its event. */
const stepped = z.object({ scenario: z.string(), step: z.int(), at: moment, number: z.int() });

/** The window of a rate limit, and the start of the scenario that has set the limit; none for the account's own. */
const rateWindow = z.object({ by: z.int().exactOptional(), from: moment, requests: z.int() });

/** By a request's content. */
const counts = z.array(z.tuple([z.number(), z.int().min(1)]));
const moments = z.array(z.tuple([z.number(), moment]));

/** An account's state with its maps written as lists, so that JSON can represent all of it. */
const encodedState = z.object({
  /** The account's own settings. `settingsInForce` says what holds while scenarios run. A reset restores the balance. */
  settings,
  /** What a reset restores during a rehearsal. */
  before: accountSetup.exactOptional(),
  seed: z.int().min(0),
  openedAt: moment,
  /** The rehearsal in progress, until the account starts over. */
  rehearsal: z.string().exactOptional(),
  clock: clockState,
  /** The time of the last event. */
  latest: moment,
  /** The number of events since the account was opened. It numbers what they plan, also after an import. */
  events: z.int(),
  wallet: z.object({ balance: kes, held: kes }),
  transactions: z.array(z.object({ number: z.int(), accepted, progress, left: clientLeft.exactOptional() })),
  /** The number of transactions with a result or a callback still to come. */
  pending: z.int(),
  /** The number of requests, whatever their response. */
  requests: z.int(),
  contents: counts,
  repeatable: moments,
  /** The account's own sender IDs: those of its settings, and what carriers approved since. */
  senderIds: z.array(senderIdGrant),
  registrations: z.array(registration),
  /** Secrets that were in force until others replaced them, the latest first. */
  formerSecrets: z.array(formerSecret).exactOptional(),
  window: rateWindow,
  /** Highest priority first. */
  scenarios: z.array(runningScenario),
  counters: z.array(z.tuple([z.string(), z.number()])),
  stepped: z.array(stepped),
  scheduled: z.array(z.tuple([z.string(), z.int()])),
  /** The number of starts of scenarios. */
  starts: z.int().min(0),
  /** The first start with each seed of a scenario. */
  seeds: z.record(z.string(), z.int()),
  /** The number of settled transactions. */
  settlements: z.int(),
  /** The number of transactions that never settle by themselves. They are not pending. */
  stuck: z.int(),
  reordered: z.array(requestId),
});

const folded = z.object({ kind: z.literal("snapshot"), at: moment, state: encodedState });

/** All earlier events folded into a state: the first entry of a journal whose beginning was evicted. */
const snapshot = folded.extend({
  /** Events before it that readings still show: those of orders, when refusals were evicted. The first is a beginning. */
  earlier: z
    .array(z.object({ number: z.int(), event: z.discriminatedUnion("kind", [...eventSchemas, folded]) }))
    .min(1)
    .exactOptional(),
});
export type Snapshot = Immutable<z.output<typeof snapshot>>;

/** An event of a journal: something that happened, or a snapshot of all that happened before. */
export type AccountEvent = Immutable<z.output<(typeof eventSchemas)[number]>> | Snapshot;

/** Checks an event as far as the fold and the readings rely on it. `importJournal` checks that the events are consistent. */
export const accountEvent = z.discriminatedUnion("kind", [...eventSchemas, snapshot]);
