import { signal } from "@preact/signals";
import { findFault, writeFault } from "../../../../verdict/faults.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { accountClient } from "../../../api/sandbox.ts";
import { bodyOf } from "../../../api/curl.ts";
import { postOrder } from "../../../api/post-order.ts";
import { account, accountKey } from "../../../store.ts";

/** What can go wrong when a request is sent again. */
export const VARIANTS = [
  // A browser repeats a request by itself if a connection breaks before the first byte of its answer.
  { name: "again-lost-answer", title: "a lost answer", fault: "truncate-after-accept" },
  { name: "again-doubled-callback", title: "a doubled callback", fault: "callback-twice-at-once" },
  { name: "again-late-callback", title: "a late callback", fault: "callback-late" },
] as const;

type Variant = (typeof VARIANTS)[number];

/** A request that was sent again. */
interface Repetition {
  readonly of: string;
  readonly variant: Variant;
  /** The number of the journal's last event before. */
  readonly after: number;
}

/** The last request that was sent again. */
export const repetition = signal<Repetition | undefined>(undefined);

/** Sends the same body once more, with one fault. The fault lasts only for this request. */
export async function sendAgain(request: RequestRow, variant: Variant): Promise<void> {
  const { order } = request;
  const fault = findFault(variant.fault);
  if (fault === undefined || order === undefined) return;
  const control = accountClient(accountKey.value ?? "");
  const scenario = { ...writeFault(fault, { phone_number: order.phoneNumber, first: 1 }), name: variant.name };
  await control.post("scenarios?place=first", scenario);
  try {
    repetition.value = { of: request.requestId, variant, after: account.peek()?.reading.version ?? 0 };
    // What comes back is read from the journal.
    await postOrder(order.operation, bodyOf(request) ?? "");
  } finally {
    await control.delete(`scenarios/${variant.name}`);
  }
}
