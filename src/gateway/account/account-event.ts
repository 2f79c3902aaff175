import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { runningScenario, carrier, clock, kes, moment, settings, valueOf } from "./event-values.ts";
import {
  accepted,
  accountSetup,
  attempted,
  clientLeft,
  eventSchemas,
  senderIdDecided,
  senderIdSubmitted,
  settled,
} from "./events.ts";
import type { EncodedState } from "./snapshot.ts";

const resolved = {
  settled,
  order: z.int(),
  deliveries: z.array(
    z.object({
      number: z.int(),
      cause: z.enum(["result", "resend"]),
      tries: z.int(),
      next: z.union([z.literal("none"), z.object({ dueAt: moment })]),
    }),
  ),
  attempts: z.array(attempted),
};

const progress = z.discriminatedUnion("state", [
  z.object({ state: z.literal("queued"), settlesAt: moment }),
  z.object({ state: z.literal("stuck") }),
  z.object({ state: z.literal("succeeded"), ...resolved }),
  z.object({ state: z.literal("failed"), ...resolved }),
]);

const outage = z.object({ scenario: z.string(), kind: z.enum(["credentials", "sender-id", "carrier"]) });

const pairs = z.array(z.tuple([z.number(), z.number()]));

const encodedState = valueOf<EncodedState>()(
  z.object({
    settings,
    before: accountSetup.exactOptional(),
    seed: z.int(),
    openedAt: moment,
    clock,
    latest: moment,
    wallet: z.object({ balance: kes, held: kes }),
    transactions: z.array(z.object({ accepted, progress, left: clientLeft.exactOptional() })),
    unresolved: z.int(),
    requests: z.int(),
    contents: pairs,
    repeatable: pairs,
    senderIds: z.array(z.tuple([z.string(), z.array(carrier)])),
    registrations: z.array(z.object({ submitted: senderIdSubmitted, decided: senderIdDecided.exactOptional() })),
    window: z.object({ from: moment, requests: z.int() }),
    scenarios: z.array(runningScenario),
    counters: z.array(z.tuple([z.string(), z.number()])),
    stepped: z.array(z.object({ scenario: z.string(), step: z.int(), at: z.number() })),
    outages: z.array(outage),
    settlements: z.int(),
    stuck: z.int(),
    reordered: z.array(z.string()),
  }),
);

/** All earlier events folded into a state: the first entry of a journal whose beginning was evicted. */
const snapshot = z.object({
  kind: z.literal("snapshot"),
  at: moment,
  state: encodedState,
});
export type Snapshot = Immutable<z.output<typeof snapshot>>;

/** An event of a journal: something that happened, or a snapshot of all that happened before. */
export type AccountEvent = Immutable<z.output<(typeof eventSchemas)[number]>> | Snapshot;

/** Checks an event as far as the fold and the readings rely on it. `importJournal` checks that the events are consistent. */
export const accountEvent = z.discriminatedUnion("kind", [...eventSchemas, snapshot]);
