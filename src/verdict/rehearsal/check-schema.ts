import * as z from "zod";
import { commandValue, requestValue, type Source } from "../application/request.ts";
import { jsonPathValue, readAmount } from "../application/values.ts";
import { complain, durationValue, readText } from "../../gateway/document/values.ts";
import { DETECTOR_IDS } from "../checks/all-checks.ts";
import { comparisonOf } from "../../gateway/scenario/comparison.ts";
import { oneOrMore, shillingsValue, someOf, UNLESS_WRONG } from "../../gateway/scenario/values.ts";
import { patternValue } from "./pattern.ts";
import { countValue, matchValue } from "./values.ts";

const moneyValue = comparisonOf(shillingsValue);

const findingIds = oneOrMore(z.enum(DETECTOR_IDS));

const findingsValue = someOf(
  z.strictObject({
    none_of: oneOrMore(z.enum(["defect", "risk", "cost", "hint"]))
      .describe("Severities that must not occur among the findings.")
      .exactOptional(),
    none: findingIds.describe("Ids of findings that must not occur.").exactOptional(),
    some: findingIds.describe("Ids of findings that must occur.").exactOptional(),
  }),
);

export type FindingsCheck = z.output<typeof findingsValue>;

const callbacksValue = z
  .strictObject({
    operation: z.enum(["airtime", "sms"]).describe("The kind of callbacks. Default: both.").exactOptional(),
    acknowledged: z.literal("all").describe("Every callback is eventually answered with 200.").exactOptional(),
    acknowledged_within: durationValue
      .describe("Every callback is answered with 200 within this wall time.")
      .exactOptional(),
    count: countValue.describe("The expected number of delivery attempts.").exactOptional(),
  })
  .superRefine(needOneOf(["acknowledged", "acknowledged_within", "count"]), UNLESS_WRONG);

export type CallbacksCheck = z.output<typeof callbacksValue>;

const requestsValue = z
  .strictObject({
    match: matchValue.describe("The requests to check. Default: all.").prefault({}),
    count: countValue.describe("The expected number.").exactOptional(),
    spacing: z
      .strictObject({ min: durationValue.describe("The minimum time between two of them.") })
      .describe("The time between them, in the application's own time.")
      .exactOptional(),
    no_repeat: z.literal(true).describe("No two accepted requests have the same content.").exactOptional(),
  })
  .superRefine(needOneOf(["count", "spacing", "no_repeat"]), UNLESS_WRONG);

export type RequestsCheck = z.output<typeof requestsValue>;

const walletValue = someOf(
  z.strictObject({
    spent: moneyValue.describe("The total charged in KES, not counting top-ups and adjustments.").exactOptional(),
    available: moneyValue.describe("The available balance in KES at the end.").exactOptional(),
  }),
);

export type WalletCheck = z.output<typeof walletValue>;

export const TRANSACTION_STATES = ["queued", "succeeded", "failed", "stuck"] as const;

const transactionsValue = z
  .strictObject({
    match: matchValue.describe("The transactions to count. Default: all.").prefault({}),
    queued: countValue.describe("The number not settled yet.").exactOptional(),
    succeeded: countValue.describe("The number that succeeded.").exactOptional(),
    failed: countValue.describe("The number that failed.").exactOptional(),
    stuck: countValue.describe("The number that never settle because of a scenario.").exactOptional(),
  })
  .superRefine(needOneOf(TRANSACTION_STATES), UNLESS_WRONG);

export type TransactionsCheck = z.output<typeof transactionsValue>;

const sourceShape = {
  request: requestValue.describe("A request to the application.").exactOptional(),
  command: commandValue
    .describe("A shell command. Its standard output is the answer; it must exit with 0.")
    .exactOptional(),
};

const pollingShape = {
  within: durationValue
    .describe('Wall time during which the question is repeated until the check passes. Default "5s".')
    .prefault("5s"),
  every: durationValue.describe('Wall time between two attempts. Default "250ms".').prefault("250ms"),
};

/** A change of an amount in KES; may be negative. */
const amountChangeValue = readText(readAmount, {
  what: "an amount in KES",
  repair: 'write an amount like "-100", "95.50" or "0"',
});

const PROBE_CONDITIONS = ["equals", "matches", "exists", "changed_by"] as const;

/** Asks the application for one value. */
const probeValue = z
  .strictObject({
    ...sourceShape,
    ...pollingShape,
    status: z.int().min(100).max(599).describe("The HTTP status. Default 200 to 299.").exactOptional(),
    json_path: jsonPathValue.describe("A JSONPath into the answer. Default: the whole text.").exactOptional(),
    equals: z
      .unknown()
      .describe(
        "The expected value: text, a number, true, false, null, a list or a mapping. Text may contain placeholders.",
      )
      .exactOptional(),
    matches: patternValue.describe("A regular expression in RE2 syntax that the text must match.").exactOptional(),
    exists: z.boolean().describe("Whether the value exists.").exactOptional(),
    changed_by: amountChangeValue
      .describe('The expected change of the amount in KES since before the first step: "-100", "0".')
      .exactOptional(),
  })
  .superRefine(checkSource, UNLESS_WRONG)
  .superRefine((written, context) => {
    const [, second] = PROBE_CONDITIONS.filter((key) => key in written);
    if (second !== undefined)
      complain(context, {
        path: [second],
        problem: "is a second expectation of the same probe",
        repair: "write a separate probe",
      });
  }, UNLESS_WRONG);

export type ProbeCheck = z.output<typeof probeValue>;

const entriesValue = z.strictObject({
  list: jsonPathValue.describe("A JSONPath to the entries: $.charges[*]."),
  request_id: jsonPathValue.describe("A JSONPath to an entry's request_id: $.request_id."),
  amount: jsonPathValue.describe("A JSONPath to an entry's amount: $.amount."),
});

const columnsValue = z.strictObject({
  request_id: z.string().min(1).describe("The name of the column with the request_id."),
  amount: z.string().min(1).describe("The name of the column with the amount."),
});

export type JsonEntries = z.output<typeof entriesValue>;
export type CsvColumns = z.output<typeof columnsValue>;

/** Asks the application for its books. */
const reconcileValue = z
  .strictObject({
    ...sourceShape,
    ...pollingShape,
    total: jsonPathValue.describe("A JSONPath to the sum of all charges.").exactOptional(),
    since: z
      .string()
      .describe("The total before the rehearsal, if the books are older: {before}, captured by the first step.")
      .exactOptional(),
    json: entriesValue.describe("Entries in JSON.").exactOptional(),
    csv: columnsValue.describe("Entries in CSV, with column names in the first line.").exactOptional(),
    compare: z
      .enum(["charge", "amount"])
      .describe(
        "What the books contain: the gateway's charge, or the airtime amount (for an SMS, always the charge). Default charge.",
      )
      .prefault("charge"),
  })
  .superRefine(checkSource, UNLESS_WRONG)
  .superRefine(({ total, since, json, csv }, context) => {
    if (since !== undefined && total === undefined)
      complain(context, { path: ["since"], problem: "has no effect without total", repair: "remove it" });
    if ([total, json, csv].filter((form) => form !== undefined).length !== 1)
      complain(context, {
        problem: "needs exactly one of total, json or csv",
        repair: "write { total: $.total } if the books are one sum",
      });
  }, UNLESS_WRONG);

export type ReconcileCheck = z.output<typeof reconcileValue>;

const checkShape = {
  findings: findingsValue.describe("Findings that must or must not occur.").exactOptional(),
  callbacks: callbacksValue
    .describe("How the application answers callbacks. Callbacks that a scenario corrupted do not count.")
    .exactOptional(),
  requests: requestsValue.describe("What the application sends to the gateway.").exactOptional(),
  wallet: walletValue.describe("The cost and the remaining balance.").exactOptional(),
  transactions: transactionsValue.describe("The number of transactions in each state.").exactOptional(),
  probe: probeValue.describe("A question to the application and its expected answer.").exactOptional(),
  reconcile: reconcileValue.describe("Compares the application's books with the ledger.").exactOptional(),
};

/** One check: a mapping with exactly one kind, and optionally a name. */
export const expectationValue = z
  .strictObject({
    name: z.string().min(1).max(200).describe("The name of the check in reports.").exactOptional(),
    ...checkShape,
  })
  .superRefine(({ name: _name, ...kinds }, context) => {
    const [first, second] = Object.keys(kinds);
    if (first === undefined)
      complain(context, { problem: "expects nothing", repair: `add one of ${Object.keys(checkShape).join(", ")}` });
    if (second !== undefined)
      complain(context, {
        path: [second],
        problem: `cannot be combined with ${first}`,
        repair: "write a separate check",
      });
  }, UNLESS_WRONG);

export type Expectation = z.output<typeof expectationValue>;

/** The default expectation: a defect always fails the rehearsal. */
export const NO_DEFECTS = { findings: { none_of: ["defect"] } } as const satisfies Expectation;

function needOneOf(keys: readonly string[]) {
  return (written: object, context: z.RefinementCtx): void => {
    if (!keys.some((key) => key in written))
      complain(context, { problem: "expects nothing", repair: `add one of ${keys.join(", ")}` });
  };
}

function checkSource({ request, command }: Source, context: z.RefinementCtx): void {
  if ((request === undefined) === (command === undefined))
    complain(context, {
      problem: "needs exactly one of request or command",
      repair: 'write { request: { url: "{app}/orders/{order}" } }',
    });
}
