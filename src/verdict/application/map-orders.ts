import * as z from "zod";
import { oneOrMore, addProblem, SKIP_IF_INVALID } from "../../gateway/document/values.ts";
import { jsonPathValue } from "./json-path.ts";
import { placementOf } from "./placed-order.ts";
import { requestValue } from "./request.ts";

export const orderValue = z.strictObject({
  request: requestValue.describe("The request that places one order in the application."),
  id: jsonPathValue
    .describe(
      "A JSONPath to the order's id in the answer, for {id}. Without it, an order is identified by its phone number and reference.",
    )
    .exactOptional(),
  refused: jsonPathValue
    .describe(
      "A JSONPath to what only an answer that refuses the order has, such as $.errors, for an application that refuses with status 200. Nothing there, null, false, 0 and what is empty refuse nothing. Default: a status of 400 to 499, but 408, 409, 425 and 429, which leave it open, as errors of a server do.",
    )
    .exactOptional(),
});

/** More would be a load test. */
export const MAX_RECIPIENTS = 10;

export const smsValue = orderValue.extend({
  recipients: z
    .int()
    .min(2)
    .max(MAX_RECIPIENTS)
    .describe("How many customers one order sends the SMS to, by {phone_numbers} in its request. Default: one.")
    .exactOptional(),
});

const wordsValue = oneOrMore(z.string().min(1));

/** An order that failed may be gone. A number is the HTTP status by which the application says so. */
const goneValue = z
  .number()
  .superRefine((status, context) => {
    const isDefinite = placementOf({ reply: { kind: "answered", status, text: "" } }) === "refused";
    if (isDefinite && Number.isInteger(status) && status < 500) return;
    const repair = `write one like 404 or 410, or "${status}" in quotes if it is a status word`;
    addProblem(context, { problem: `${status} is not an HTTP status by which an order is gone`, repair });
  })
  .meta({ type: "integer", minimum: 400, maximum: 499 });

export const statusValue = z
  .strictObject({
    request: requestValue.describe("The request that reads an order."),
    json_path: jsonPathValue.describe("A JSONPath to the status in the answer."),
    paid: wordsValue.describe("The application's status words for a delivered order."),
    failed: oneOrMore(z.union([z.string().min(1), goneValue])).describe(
      "The application's status words for an order that failed or was refunded; a number like 410 is the HTTP status of its answer where such an order is gone.",
    ),
    open: wordsValue.describe("The application's status words for an order that is not decided yet."),
    review: wordsValue
      .describe(
        "The application's status words for an open order that a person must look at. A word that it shows only for orders whose outcome it was told is recognized without this.",
      )
      .exactOptional(),
  })
  .superRefine(checkWords, SKIP_IF_INVALID)
  .transform((status) => ({ ...status, open: openWords(status) }));

interface OpenWords {
  readonly open: readonly string[];
  readonly review?: readonly string[];
}

function openWords({ open, review = [] }: OpenWords): readonly string[] {
  return [...open, ...review];
}

const LISTS = ["paid", "failed", "open", "review"] as const;

type Lists = Partial<Readonly<Record<(typeof LISTS)[number], readonly (string | number)[]>>>;

function checkWords(status: Lists, context: z.RefinementCtx): void {
  for (const [index, list] of LISTS.entries()) {
    const earlier = LISTS.slice(0, index).find((other) => status[other]?.some((word) => status[list]?.includes(word)));
    if (earlier !== undefined)
      addProblem(context, {
        path: [list],
        problem: `has a word that is also in ${earlier}`,
        repair: "keep it in only one of the two",
      });
  }
}
