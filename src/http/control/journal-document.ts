import * as z from "zod";
import type { AccountEvent } from "../../account/events.ts";
import { CARRIERS } from "../../domain/carrier.ts";
import { BREAKAGES, type Scenario } from "../../domain/scenario.ts";
import { wrongInScenario } from "../../scenario/wrong-in-scenario.ts";
import { manner } from "./manner-document.ts";

/** An account as one document: what export gives and import takes. */
export const journalDocument = z.strictObject({
  kredo: z.string().describe("The version that wrote it."),
  consumer_key: z.string().describe("Whose it was; the account that imports it keeps its own key."),
  number: z.int().min(1).describe("The first event's number where it was exported."),
  events: z
    .array(z.custom<AccountEvent>(isEvent, { error: ({ input }) => whatIsWrong(input) }).meta({ type: "object" }))
    .min(1)
    .describe("The journal, oldest event first."),
});

const at = z.number();
const requestId = z.string();
const sum = z.int();
const texts = z.record(z.string(), z.string());
const clock = z.discriminatedUnion("mode", [
  z.looseObject({ mode: z.literal("real") }),
  z.looseObject({ mode: z.literal("scaled"), scale: z.number().gt(0), from: at, wallFrom: at }),
  z.looseObject({ mode: z.literal("manual"), from: at }),
]);

const callbackUrl = z.looseObject({ url: z.string(), trusted: z.boolean() });
const callbacks = z.looseObject({
  urls: z.strictObject({ airtime: callbackUrl.optional(), sms: callbackUrl.optional() }),
  timeout: z.number(),
  concurrency: z.int().min(1),
  retry: z.looseObject({ attempts: z.int(), spacing: z.array(z.number()), on: z.array(z.string()) }),
  headers: texts,
  insecure: z.boolean(),
  traceparent: z.boolean().optional(),
});

const organization = z.looseObject({
  name: z.string(),
  accounts: z.array(z.looseObject({ account: z.string(), service_name: z.string() })),
});
const rateLimit = z.looseObject({ requests: z.int().min(1), per: z.number().gt(0) });
const settings = z.looseObject({
  consumerKey: z.string(),
  consumerSecret: z.string(),
  anySecret: z.boolean(),
  balance: sum,
  clock: z.looseObject({ mode: z.enum(["real", "scaled", "manual"]) }),
  callbacks,
  senderIds: z.array(z.looseObject({ senderId: z.string(), carriers: z.array(z.enum(CARRIERS)) })),
  organization,
  rateLimit: rateLimit.optional(),
});

const order = z.discriminatedUnion("operation", [
  z.looseObject({ operation: z.literal("airtime"), phoneNumber: z.string(), amount: sum }),
  z.looseObject({ operation: z.literal("sms"), phoneNumber: z.string(), message: z.string(), senderId: z.string() }),
]);

const directed = z
  .looseObject({
    fired: z.array(z.looseObject({ scenario: z.string(), rule: z.string() })),
    counters: z.array(z.string()),
    entered: z.array(z.looseObject({ scenario: z.string(), state: z.string() })),
    ack: z.looseObject({ delay: z.number() }).optional(),
    missed: z.looseObject({ scenario: z.string(), rule: z.string(), matcher: z.string(), difference: z.string() }).optional(),
  })
  .optional();
const form = z.looseObject({});
const sendings = z.array(z.looseObject({ after: z.number(), form }));

const accepted = z.looseObject({
  kind: z.literal("accepted"),
  at,
  requestId,
  manner,
  order,
  content: z.number(),
  carrier: z.enum(CARRIERS),
  ported: z.boolean(),
  hold: sum.min(0),
  plan: z.looseObject({
    settleAfter: z.union([z.number(), z.literal("never")]),
    callback: z.looseObject({ sendings, beforeAck: z.boolean(), letPass: z.int() }).optional(),
    result: z.looseObject({ outcome: z.string(), resultCode: z.int(), resultDesc: z.string() }),
    charge: sum,
  }),
  directed,
});

const left = z.looseObject({ kind: z.literal("client-left"), at, requestId, waited: z.number().min(0) });

const settled = z.looseObject({
  kind: z.literal("settled"),
  at,
  requestId,
  outcome: z.enum(["succeeded", "failed"]),
  resultCode: z.int(),
  resultDesc: z.string(),
  charge: sum.min(0),
  unpaid: sum.optional(),
  available: sum,
  callback: z.union([z.strictObject({ dueAt: at }), z.strictObject({ none: z.string() }), z.strictObject({ sendings, letPass: z.int() })]),
});

const attempted = z.looseObject({
  kind: z.literal("attempted"),
  at,
  requestId,
  delivery: z.int(),
  attempt: z.int(),
  url: z.string(),
  headers: texts,
  outcome: z.looseObject({ kind: z.string() }),
  millis: z.number(),
  scripted: form.optional(),
});

const submitted = z.looseObject({
  kind: z.literal("sender-id-submitted"),
  at,
  id: z.string(),
  senderId: z.string(),
  carrier: z.enum(CARRIERS),
  fee: sum.min(0),
  decidesAt: at,
});
const decided = z.looseObject({ kind: z.literal("sender-id-decided"), at, id: z.string(), verdict: z.enum(["approved", "rejected"]) });

const resolved = {
  settled,
  order: z.int(),
  deliveries: z.array(
    z.looseObject({ number: z.int(), cause: z.string(), tries: z.int(), next: z.union([z.literal("none"), z.looseObject({ dueAt: at })]) }),
  ),
  attempts: z.array(attempted),
};

const progress = z.discriminatedUnion("state", [
  z.looseObject({ state: z.literal("queued"), settlesAt: at }),
  z.looseObject({ state: z.literal("stuck") }),
  z.looseObject({ state: z.literal("succeeded"), ...resolved }),
  z.looseObject({ state: z.literal("failed"), ...resolved }),
]);

const active = z.looseObject({
  scenario: z.custom<Scenario>((value) => wrongInScenario(value) === undefined, {
    error: ({ input }) => wrongInScenario(input) ?? "no scenario",
  }),
  since: at,
  off: z.array(z.string()),
  state: z.string().optional(),
});
const before = z.looseObject({ settings, scenarios: z.array(active) }).optional();
const outage = z.looseObject({ scenario: z.string(), kind: z.enum(["credentials", "sender-id", "carrier"]) });

const pairs = z.array(z.tuple([z.number(), z.number()]));
const state = z.looseObject({
  settings,
  before,
  seed: z.int(),
  openedAt: at,
  clock,
  latest: at,
  wallet: z.looseObject({ balance: sum, held: sum }),
  transactions: z.array(z.looseObject({ accepted, progress, left: left.optional() })),
  unresolved: z.int(),
  requests: z.int(),
  contents: pairs,
  repeatable: pairs,
  senderIds: z.array(z.tuple([z.string(), z.array(z.enum(CARRIERS))])),
  registrations: z.array(z.looseObject({ submitted, decided: decided.optional() })),
  window: z.looseObject({ from: at, requests: z.int() }),
  scenarios: z.array(active),
  counters: z.array(z.tuple([z.string(), z.number()])),
  stepped: z.array(z.looseObject({ scenario: z.string(), step: z.int() })),
  outages: z.array(outage),
  settlements: z.int(),
  stuck: z.int(),
  lettingPass: z.array(z.string()),
});

const request = { at, requestId, manner, content: z.number() };

/** As much of each event as the fold and the readings rely on; `adoptJournal` checks that they add up. */
const eventShape = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("opened"), at, settings, before, seed: z.int(), clock }),
  z.looseObject({ kind: z.literal("snapshot"), at, state }),
  accepted,
  z.looseObject({
    kind: z.literal("refused"),
    ...request,
    method: z.string(),
    path: z.string(),
    code: z.int(),
    description: z.string(),
    retryAt: at.optional(),
    order: order.optional(),
    directed,
  }),
  z.looseObject({ kind: z.literal("queried"), ...request, available: sum, directed }),
  z.looseObject({
    kind: z.literal("cut"),
    ...request,
    order: order.optional(),
    breakage: z.enum(BREAKAGES),
    directed: directed.nonoptional(),
  }),
  z.looseObject({
    kind: z.literal("scenarios-changed"),
    at,
    active: z.array(active),
    begun: z.array(z.string()),
    swapped: z.array(z.string()).optional(),
  }),
  z.looseObject({ kind: z.literal("timeline-stepped"), at, scenario: z.string(), step: z.int() }),
  left,
  settled,
  attempted,
  z.looseObject({ kind: z.literal("attempt-begun"), at, requestId, delivery: z.int() }),
  z.looseObject({ kind: z.literal("resend-requested"), at, requestId }),
  z.looseObject({ kind: z.literal("topped-up"), at, amount: sum }),
  z.looseObject({ kind: z.literal("wallet-set"), at, available: sum }),
  z.looseObject({ kind: z.literal("callbacks-changed"), at, callbacks }),
  z.looseObject({
    kind: z.literal("account-changed"),
    at,
    organization: organization.optional(),
    rateLimit: rateLimit.nullable().optional(),
  }),
  submitted,
  decided,
  z.looseObject({ kind: z.literal("clock-changed"), at, clock }),
]);

function isEvent(value: unknown): value is AccountEvent {
  return eventShape.safeParse(value).success;
}

function whatIsWrong(value: unknown): string {
  const [issue] = eventShape.safeParse(value).error?.issues ?? [];
  return `is not an event of a journal (${issue?.path.join(".") || "kind"}: ${issue?.message ?? "unknown"})`;
}
