import { encodeCallback } from "../contract/callback.ts";
import { cents, type Kes, NO_MONEY } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import { parsePhoneNumber } from "../domain/phone-number.ts";
import { carrierResult } from "../domain/result.ts";
import type { Operation, ResultCodes } from "../domain/settings.ts";
import type { Instant } from "../domain/time.ts";

export interface Sample {
  readonly operation: Operation;
  /** One that nobody was told of: a receiver has to cope with that. */
  readonly requestId: string;
  readonly at: Instant;
  readonly codes: ResultCodes;
  readonly available: Kes;
}

/** The body of a callback about a success that cost nothing. */
export function sampleCallback({ operation, requestId, at, codes, available }: Sample): string {
  const result = carrierResult(sampleOrder(operation), "success", codes);
  return encodeCallback({
    kind: "settled",
    at,
    requestId,
    ...result,
    outcome: "succeeded",
    charge: NO_MONEY,
    available,
    callback: { dueAt: at },
  });
}

/** To a recipient that is nobody's, in the range of the magic numbers. */
const RECIPIENT = "254700000000";

function sampleOrder(operation: Operation): Order {
  const phoneNumber = parsePhoneNumber(RECIPIENT, "document");
  if (phoneNumber === undefined) throw new Error(`${RECIPIENT} is no phone number`);
  return operation === "airtime"
    ? { operation, phoneNumber, amount: cents(500) }
    : { operation, phoneNumber, message: "Habari", senderId: "SANDBOX" };
}
