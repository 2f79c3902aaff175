import type { Settled } from "../../gateway/account/events.ts";
import { type BodyFormat, encodeCallback } from "../../gateway/contract/callback.ts";
import { type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { parsePhoneNumber, type PhoneNumber } from "../../gateway/domain/carrier.ts";
import { carrierResult, type Operation, type ResultForm, sampleOrder } from "../../gateway/domain/order.ts";
import type { Instant } from "../../gateway/domain/time.ts";

export interface Sample {
  readonly operation: Operation;
  /** An id that the application does not know; a receiver has to cope with that. */
  readonly requestId: string;
  readonly at: Instant;
  readonly gateway: BodyFormat & ResultForm;
  readonly available: Kes;
}

/** Writes a callback body that reports a success at no charge. */
export function sampleCallback({ operation, requestId, at, gateway, available }: Sample): string {
  const result = carrierResult(sampleOrder(operation, recipient()), "success", gateway);
  const settled: Settled = {
    kind: "settled",
    at,
    requestId,
    ...result,
    outcome: "succeeded",
    charge: NO_MONEY,
    available,
    callback: { dueAt: at },
  };
  return encodeCallback(settled, gateway);
}

/** A reserved recipient from the range of the magic numbers. */
const RECIPIENT = "254700000000";

function recipient(): PhoneNumber {
  const phoneNumber = parsePhoneNumber(RECIPIENT, "strict");
  if (phoneNumber === undefined) throw new Error(`${RECIPIENT} is not a phone number`);
  return phoneNumber;
}
