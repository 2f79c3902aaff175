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
  })
  .superRefine(checkWords, SKIP_IF_INVALID);

function checkWords(
  status: { paid: readonly string[]; failed: readonly string[]; open: readonly string[] },
  context: z.RefinementCtx,
): void {
  const claims = ["paid", "failed", "open"] as const;
  for (const [index, claim] of claims.entries()) {
    const earlier = claims.slice(0, index).find((other) => status[other].some((word) => status[claim].includes(word)));
    if (earlier !== undefined)
      addProblem(context, {
        path: [claim],
        problem: `has a word that is also in ${earlier}`,
        repair: "keep it in only one of the two",
      });
  }
}
