import * as z from "zod";
import type { Settled } from "../account/events.ts";
import { kesAsNumber } from "../domain/kes.ts";

/** The result callback (document 2.4). */
export const callbackShape = z.object({
  request_id: z.uuid().describe("The identifier that the acknowledgment carried."),
  charge: z.number().describe("KES really deducted from the wallet; for airtime the amount minus the discount."),
  account_balance: z.number().describe("KES available after the charge."),
  result_code: z.int().describe("200 is success or delivered; any other value is a failure."),
  result_desc: z.string().describe("The outcome in words."),
});

/** The callback's body: the same bytes each time, so that a receiver may know a repeat by its hash. */
export function encodeCallback(settled: Settled): string {
  return JSON.stringify({
    request_id: settled.requestId,
    charge: kesAsNumber(settled.charge),
    account_balance: kesAsNumber(settled.available),
    result_code: settled.resultCode,
    result_desc: settled.resultDesc,
  } satisfies z.output<typeof callbackShape>);
}
