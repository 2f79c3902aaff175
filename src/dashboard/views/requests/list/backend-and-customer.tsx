import type { JSX } from "preact";
import {
  describeReceived,
  describeKnownInOrder,
  describePaid,
} from "../../../../gateway/account/readings/describe-sale.ts";
import type { Row } from "../../../live/sales.ts";
import { saleOf } from "../../../live/sales.ts";

/** Both sides of one sale: what the backend can know of it, and what really happened. */
interface BackendAndCustomerWords {
  readonly knows: string;
  readonly got: string;
  readonly paid: string;
}

/** Returns undefined for a question about the account, which orders nothing. */
export function backendAndCustomerOf(row: Row): BackendAndCustomerWords | undefined {
  if (row.request.event.kind === "queried") return undefined;
  const sale = saleOf(row);
  const { requests } = sale;
  return { knows: describeKnownInOrder(requests), got: describeReceived(requests, sale), paid: describePaid(sale) };
}

/** What the backend knows, or says, and what really happened. */
export function BackendAndCustomer({
  verb = "knows",
  knows,
  got,
  paid,
}: BackendAndCustomerWords & { readonly verb?: "knows" | "says" }): JSX.Element {
  return (
    <p class="truths">
      Your backend {verb}: <strong dir="auto">{knows}</strong>. The customer got: <strong>{got}</strong>. You paid:{" "}
      <strong>{paid}</strong>.
    </p>
  );
}
