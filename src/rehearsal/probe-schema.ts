import * as z from "zod";
import { complain, durationValue, readText } from "../document/values.ts";
import type { Kes } from "../domain/kes.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { patternValue, UNLESS_WRONG } from "../scenario/values.ts";
import { readAmount } from "./read-amount.ts";
import type { BooksForm, Expected, ProbeAssertion, ProbeSource } from "./rehearsal.ts";
import { requestShape, checkBody, commandValue, jsonPathValue, readRequest } from "./values.ts";

const WITHIN: Millis = 5 * SECOND;
const EVERY: Millis = 250;

/** More or less KES than before. */
const amountChangeValue = readText(readAmount, { what: "an amount in KES", repair: 'write one like "-100", "95.50" or "0"' });

const sourceShape = {
  request: z
    .strictObject(requestShape)
    .superRefine(checkBody)
    .transform((written): ProbeSource => ({ via: "request", request: readRequest(written) }))
    .describe("A request to the application.")
    .exactOptional(),
  command: commandValue
    .transform((run): ProbeSource => ({ via: "command", run }))
    .describe("A shell command, whose standard output is the answer; it must exit with 0.")
    .exactOptional(),
};

const pollingShape = {
  within: durationValue.describe('Wall time in which it is asked again until it holds. Default "5s".').exactOptional(),
  every: durationValue.describe('Wall time between one try and the next. Default "250ms".').exactOptional(),
};

/** Asks the application for one thing. */
export const probeValue = z
  .strictObject({
    ...sourceShape,
    ...pollingShape,
    status: z.int().min(100).max(599).describe("The HTTP status. Default 200 to 299.").exactOptional(),
    json_path: jsonPathValue.describe("Where in the answer's JSON; without it, the whole text.").exactOptional(),
    equals: z
      .unknown()
      .describe("What is there: text, a number, true, false, null, a list or a mapping. Texts may hold placeholders.")
      .exactOptional(),
    matches: patternValue.describe("A regular expression in RE2 syntax that the text there matches.").exactOptional(),
    exists: z.boolean().describe("Whether there is anything.").exactOptional(),
    changed_by: amountChangeValue
      .describe('KES by which the amount there has changed since before the first step: "-100", "0".')
      .exactOptional(),
  })
  .superRefine(checkSource, UNLESS_WRONG)
  .superRefine(checkWanted, UNLESS_WRONG)
  .transform(({ request, command, within = WITHIN, every = EVERY, json_path: jsonPath, status, ...wanted }): Expected => ({
    kind: "probe",
    source: request ?? command ?? z.NEVER,
    within,
    every,
    ...(jsonPath && { jsonPath }),
    ...(status !== undefined && { status }),
    wanted: readWanted(wanted),
  }));

/** Asks the application for its books. */
export const reconcileValue = z
  .strictObject({
    ...sourceShape,
    ...pollingShape,
    total: jsonPathValue.describe("Where in the answer's JSON the sum of all charges is.").exactOptional(),
    since: z
      .string()
      .describe("What the total was before the rehearsal, where the books are older: {before}, captured by the first step.")
      .exactOptional(),
    json: z
      .strictObject({
        list: jsonPathValue.describe("Where the entries are: $.charges[*]."),
        request_id: jsonPathValue.describe("Where in an entry the request_id is: $.request_id."),
        amount: jsonPathValue.describe("Where in an entry the amount is: $.amount."),
      })
      .describe("Entries in JSON.")
      .exactOptional(),
    csv: z
      .strictObject({
        request_id: z.string().min(1).describe("The name of the column with the request_id."),
        amount: z.string().min(1).describe("The name of the column with the amount."),
      })
      .describe("Entries in CSV, with names in the first line.")
      .exactOptional(),
    compare: z
      .enum(["charge", "amount"])
      .describe("What the books hold: what the gateway charged, or the airtime's own amount (an SMS has only its charge). Default charge.")
      .exactOptional(),
  })
  .superRefine(checkSource, UNLESS_WRONG)
  .superRefine(({ total, since, json, csv }, context) => {
    if (since !== undefined && total === undefined)
      complain(context, { path: ["since"], problem: "has no meaning without total", repair: "remove it" });
    if ([total, json, csv].filter((form) => form !== undefined).length !== 1)
      complain(context, {
        problem: "needs exactly one of total, json and csv",
        repair: "write { total: $.total } if the books are one sum",
      });
  }, UNLESS_WRONG)
  .transform(({ request, command, within = WITHIN, every = EVERY, compare = "charge", ...written }): Expected => ({
    kind: "reconcile",
    source: request ?? command ?? z.NEVER,
    within,
    every,
    books: readBooks(written),
    compare,
  }));

function checkSource({ request, command }: { request?: ProbeSource; command?: ProbeSource }, context: z.RefinementCtx): void {
  if ((request === undefined) === (command === undefined))
    complain(context, {
      problem: "needs exactly one of request and command",
      repair: 'write { request: { url: "{app}/orders/{order}" } }',
    });
}

interface WrittenWanted {
  readonly equals?: unknown;
  readonly matches?: string;
  readonly exists?: boolean;
  readonly changed_by?: Kes;
}

function checkWanted(written: WrittenWanted, context: z.RefinementCtx): void {
  const [, second] = (["equals", "matches", "exists", "changed_by"] as const).filter((key) => key in written);
  if (second !== undefined)
    complain(context, { path: [second], problem: "is a second expectation of the same probe", repair: "write a probe of its own" });
}

function readWanted(written: WrittenWanted): ProbeAssertion {
  if (written.matches !== undefined) return { is: "matches", pattern: written.matches };
  if (written.exists !== undefined) return { is: written.exists ? "exists" : "missing" };
  if (written.changed_by !== undefined) return { is: "changed", by: written.changed_by };
  return "equals" in written ? { is: "equals", value: written.equals } : { is: "answers" };
}

interface WrittenBooks {
  readonly total?: Extract<BooksForm, { as: "total" }>["total"];
  readonly since?: string;
  readonly json?: {
    readonly list: Extract<BooksForm, { as: "json" }>["list"];
    readonly request_id: Extract<BooksForm, { as: "json" }>["requestId"];
    readonly amount: Extract<BooksForm, { as: "json" }>["amount"];
  };
  readonly csv?: { readonly request_id: string; readonly amount: string };
}

function readBooks({ total, since, json, csv }: WrittenBooks): BooksForm {
  if (total !== undefined) return { as: "total", total, ...(since !== undefined && { since }) };
  if (json !== undefined) return { as: "json", list: json.list, requestId: json.request_id, amount: json.amount };
  return csv === undefined ? z.NEVER : { as: "csv", requestId: csv.request_id, amount: csv.amount };
}
