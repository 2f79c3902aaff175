import { signal } from "@preact/signals";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { bodyOfRequest } from "../../../api/curl.ts";
import { postOrder } from "../../../actions/post-order.ts";
import { startFault } from "../../../actions/next-faults.ts";
import { account } from "../../../live/store.ts";

/** What can go wrong when a request is sent again. */
export const VARIANTS = [
  // A browser repeats a request by itself if a connection breaks before the first byte of its answer.
  { title: "a lost answer", fault: "truncate-after-accept" },
  { title: "a doubled callback", fault: "callback-twice-at-once" },
  { title: "a late callback", fault: "callback-late" },
] as const;

type Variant = (typeof VARIANTS)[number];

/** A request that was sent again. */
interface Repetition {
  readonly of: string;
  readonly variant: Variant;
  /** The number of the journal's last event before. */
  readonly after: number;
}

const REPETITION = "kredo-repetition";

/** The last request that was sent again, also before a reload. */
export const repetition = signal<Repetition | undefined>(
  JSON.parse(sessionStorage.getItem(REPETITION) ?? "null") ?? undefined,
);

/** Sends the same body once more, with one fault, which ends once the request has met it. */
export async function sendAgain(request: RequestRow, variant: Variant): Promise<void> {
  const { order } = request;
  if (order === undefined || !(await startFault(variant.fault, order.phoneNumber))) return;
  repetition.value = { of: request.requestId, variant, after: account.peek()?.reading.version ?? 0 };
  sessionStorage.setItem(REPETITION, JSON.stringify(repetition.value));
  // What comes back is read from the journal.
  await postOrder(order.operation, bodyOfRequest(request) ?? "");
}
