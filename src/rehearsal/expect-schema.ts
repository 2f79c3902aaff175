import * as z from "zod";
import { DETECTOR_IDS } from "../findings/detectors.ts";
import { complain, durationValue } from "../document/values.ts";
import { UNLESS_WRONG, oneOrMore, someOf } from "../scenario/values.ts";
import { probeValue, reconcileValue } from "./probe-schema.ts";
import { type Expectation, type Expected, TRANSACTION_STATES } from "./rehearsal.ts";
import { countValue, matchValue, moneyValue } from "./values.ts";

const operationValue = z.enum(["airtime", "sms"]);

const findingIds = oneOrMore(z.enum(DETECTOR_IDS));

const findingsValue = someOf(
  z.strictObject({
    none_of: oneOrMore(z.enum(["defect", "risk", "cost", "hint"]))
      .describe("Severities of which there is to be no finding.")
      .exactOptional(),
    none: findingIds.describe("Findings that there are not to be, by id.").exactOptional(),
    some: findingIds.describe("Findings that there are to be, by id.").exactOptional(),
  }),
).transform(({ none_of: noneOf = [], none = [], some = [] }): Expected => ({ kind: "findings", noneOf, none, some }));

const callbacksValue = someOf(
  z.strictObject({
    operation: operationValue.describe("Which callbacks; both kinds if not given.").exactOptional(),
    acknowledged: z.literal("all").describe("Every callback is answered with 200 in the end.").exactOptional(),
    acknowledged_within: durationValue.describe("Every callback is answered with 200 in this wall time.").exactOptional(),
    count: countValue.describe("How many tries to deliver there are to be.").exactOptional(),
  }),
)
  .superRefine((written, context) => {
    if (written.acknowledged === undefined && written.acknowledged_within === undefined && written.count === undefined)
      complain(context, { problem: "expects nothing", repair: "add one of acknowledged, acknowledged_within, count" });
  }, UNLESS_WRONG)
  .transform(({ acknowledged_within: acknowledgedWithin, ...same }): Expected => ({
    kind: "callbacks",
    ...same,
    ...(acknowledgedWithin !== undefined && { acknowledgedWithin }),
  }));

const requestsValue = z
  .strictObject({
    match: matchValue.describe("Which requests; all of them if not given.").exactOptional(),
    count: countValue.describe("How many there are to be.").exactOptional(),
    spacing: z
      .strictObject({ min: durationValue.describe("The least time between one and the next.") })
      .describe("How far apart they are, in the time that the application itself lives in.")
      .exactOptional(),
    no_repeat: z.literal(true).describe("No two of those that were accepted have the same content.").exactOptional(),
  })
  .superRefine(({ count, spacing, no_repeat: noRepeat }, context) => {
    if (count === undefined && spacing === undefined && noRepeat === undefined)
      complain(context, { problem: "expects nothing", repair: "add one of count, spacing, no_repeat" });
  }, UNLESS_WRONG)
  .transform(({ match = {}, count, spacing, no_repeat: noRepeat = false }): Expected => ({
    kind: "requests",
    match,
    noRepeat,
    ...(count && { count }),
    ...(spacing && { leastSpacing: spacing.min }),
  }));

const walletValue = someOf(
  z.strictObject({
    spent: moneyValue.describe("KES charged in all, top-ups and adjustments aside.").exactOptional(),
    available: moneyValue.describe("KES that can be spent at the end.").exactOptional(),
  }),
).transform((written): Expected => ({ kind: "wallet", ...written }));

const transactionsValue = z
  .strictObject({
    match: matchValue.describe("Which transactions; all of them if not given.").exactOptional(),
    queued: countValue.describe("How many are not settled yet.").exactOptional(),
    succeeded: countValue.describe("How many succeeded.").exactOptional(),
    failed: countValue.describe("How many failed.").exactOptional(),
    stuck: countValue.describe("How many never settle, because a scenario says so.").exactOptional(),
  })
  .superRefine((written, context) => {
    if (TRANSACTION_STATES.every((state) => written[state] === undefined))
      complain(context, { problem: "expects nothing", repair: `add one of ${TRANSACTION_STATES.join(", ")}` });
  }, UNLESS_WRONG)
  .transform(({ match = {}, ...written }): Expected => ({
    kind: "transactions",
    match,
    counts: TRANSACTION_STATES.flatMap((state) => (written[state] === undefined ? [] : [{ state, count: written[state] }])),
  }));

const kindShape = {
  findings: findingsValue.describe("What the sandbox is to have noticed, or not.").exactOptional(),
  callbacks: callbacksValue.describe("How the application answers callbacks; those that a scenario spoils are left out.").exactOptional(),
  requests: requestsValue.describe("What the application sends to the gateway.").exactOptional(),
  wallet: walletValue.describe("What it costs.").exactOptional(),
  transactions: transactionsValue.describe("How many transactions are in which state.").exactOptional(),
  probe: probeValue.describe("What the application says when it is asked.").exactOptional(),
  reconcile: reconcileValue.describe("The application's books against the ledger.").exactOptional(),
};

/** One check: a mapping with one of the keys, and a name if it has one. */
export const expectationValue = z
  .strictObject({ name: z.string().min(1).max(200).describe("What the check is called in reports.").exactOptional(), ...kindShape })
  .superRefine(({ name: _name, ...kinds }, context) => {
    const [first, second] = Object.keys(kinds);
    if (first === undefined) complain(context, { problem: "expects nothing", repair: `add one of ${Object.keys(kindShape).join(", ")}` });
    if (second !== undefined)
      complain(context, { path: [second], problem: `is a second thing beside ${first}`, repair: "write a check of its own" });
  }, UNLESS_WRONG)
  .transform(({ name, ...kinds }): Expectation => {
    const [expected] = Object.values(kinds);
    return expected === undefined ? z.NEVER : { ...expected, ...(name !== undefined && { name }) };
  });
