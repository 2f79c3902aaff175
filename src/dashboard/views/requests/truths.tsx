import type { JSX } from "preact";
import { describeKnown, describeParts } from "../../../gateway/account/readings/describe-order.ts";
import { type DeliveredOrder, type RequestReading, readRequest } from "../../../gateway/account/readings/request.ts";
import { showKes } from "../../../gateway/domain/kes.ts";
import type { Row } from "../../live/account-reading.ts";

/** Both sides of one order: what the backend can know of it, and what really happened. */
interface Truths {
  readonly knows: string;
  readonly got: string;
  readonly paid: string;
}

/** Returns undefined for a question about the account, which orders nothing. */
export function truthsOf({ request, transaction }: Pick<Row, "request" | "transaction">): Truths | undefined {
  if (transaction === undefined && request.statusCode === 200) return undefined;
  const reading = readRequest(request.event, transaction);
  return { knows: describeKnown(reading), got: gotOf(reading), paid: paidOf(reading) };
}

/** What the backend knows, or says, and what really happened. */
export function TwoTruths({
  verb = "knows",
  knows,
  got,
  paid,
}: Truths & { readonly verb?: "knows" | "says" }): JSX.Element {
  return (
    <p class="truths">
      Your backend {verb}: <strong dir="auto">{knows}</strong>. The customer got: <strong>{got}</strong>. You paid:{" "}
      <strong>{paid}</strong>.
    </p>
  );
}

function gotOf({ delivered, held, refunded }: RequestReading): string {
  if (delivered === undefined) return held > 0 ? "nothing yet" : "nothing";
  return `${arrived(delivered)}${refunded === undefined ? "" : ", then reversed"}`;
}

function arrived(delivered: DeliveredOrder): string {
  if ("amount" in delivered) return `KES ${showKes(delivered.amount)}`;
  return delivered.parts === undefined ? "the message" : `${describeParts(delivered.parts)} of the message`;
}

function paidOf({ charged, held }: RequestReading): string {
  if (held > 0) return `nothing yet, ${showKes(held)} held`;
  return charged === 0 ? "nothing" : showKes(charged);
}
