import * as z from "zod";
import type { RequestMatch } from "../../account/readings/match-requests.ts";
import type { RequestRow } from "../../account/readings/requests.ts";
import { HttpProblem } from "../problem.ts";
import { moneyValue, wholeNumber } from "./values.ts";

const OPERATION = z.enum(["airtime", "sms", "account-details", "unknown"]);
const PHONE_NUMBER = z.string().describe("The number, with * for any digits.");

/** What requests are to be like, in a body. */
export const matchValue = z
  .strictObject({
    operation: OPERATION.exactOptional(),
    phone_number: PHONE_NUMBER.exactOptional(),
    amount: moneyValue.exactOptional(),
    sender_id: z.string().exactOptional(),
    message: z.string().describe("Part of the text.").exactOptional(),
    status_code: z.int().exactOptional(),
  })
  .transform(readMatch);

/** The same in a query, where all is text. */
export const matchQuery = {
  operation: OPERATION.exactOptional(),
  phone_number: PHONE_NUMBER.exactOptional(),
  amount: moneyValue.exactOptional(),
  sender_id: z.string().exactOptional(),
  message: z.string().describe("Part of the text.").exactOptional(),
  status_code: wholeNumber.exactOptional(),
};

interface Written {
  readonly operation?: RequestRow["operation"];
  readonly phone_number?: string;
  readonly amount?: NonNullable<RequestMatch["amount"]>;
  readonly sender_id?: string;
  readonly message?: string;
  readonly status_code?: number;
}

export function readMatch({
  operation,
  phone_number: phoneNumber,
  amount,
  sender_id: senderId,
  message,
  status_code: statusCode,
}: Written): RequestMatch {
  return {
    ...(operation !== undefined && { operation }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(amount !== undefined && { amount }),
    ...(senderId !== undefined && { senderId }),
    ...(message !== undefined && { message }),
    ...(statusCode !== undefined && { statusCode }),
  };
}

/** A number that leaves out what nobody knows any more would be false. */
export function evictedProblem(evicted: number, kept: number): HttpProblem {
  const problem = `${evicted} older requests were evicted from the journal, so the count is ${kept} or more`;
  return new HttpProblem(410, [problem, "raise journal.max_transactions, or reset the account before the test"], {
    fields: { evicted, kept },
  });
}
