import * as z from "zod";
import { oneOrMore, addProblem, SKIP_IF_INVALID } from "../../gateway/document/values.ts";
import { jsonPathValue } from "./json-path.ts";
import { requestValue } from "./request.ts";

export const orderValue = z.strictObject({
  request: requestValue.describe("The request that places one order in the application."),
  id: jsonPathValue
    .describe(
      "A JSONPath to the order's id in the answer, for {id}. Without it, an order is identified by its phone number and reference.",
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

export const statusValue = z
  .strictObject({
    request: requestValue.describe("The request that reads an order."),
    json_path: jsonPathValue.describe("A JSONPath to the status in the answer."),
    paid: wordsValue.describe("The application's status words for a delivered order."),
    failed: wordsValue.describe("The application's status words for an order that failed or was refunded."),
    open: wordsValue.describe("The application's status words for an order that is not decided yet."),
    review: wordsValue
      .describe(
        "The application's status words for an open order that a person must look at. A word that it shows only for orders whose outcome it was told is recognized without this.",
      )
      .exactOptional(),
  })
  .superRefine(checkWords, SKIP_IF_INVALID)
  .transform((status) => ({ ...status, open: openWords(status) }));

function openWords({ open, review = [] }: Pick<Lists, "review"> & Required<Pick<Lists, "open">>): readonly string[] {
  return [...open, ...review];
}

const LISTS = ["paid", "failed", "open", "review"] as const;

type Lists = Partial<Readonly<Record<(typeof LISTS)[number], readonly string[]>>>;

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
