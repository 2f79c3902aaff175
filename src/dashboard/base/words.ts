import type { CallbackWords } from "../../gateway/account/readings/describe-callbacks.ts";
import type { RequestRow } from "../../gateway/account/readings/requests.ts";
import { phone } from "./format.ts";

/** The colour of a few words. */
export type Tone = CallbackWords["tone"];

export const OPERATION_WORDS: Readonly<Record<RequestRow["operation"], string>> = {
  airtime: "Airtime",
  sms: "SMS",
  "account-details": "Account details",
  unknown: "Unknown",
};

/** "Airtime to +254 712 345 678" */
export function orderTitle({
  operation,
  phoneNumber,
}: {
  operation: RequestRow["operation"];
  phoneNumber: string;
}): string {
  return `${OPERATION_WORDS[operation]} to ${phone(phoneNumber)}`;
}
