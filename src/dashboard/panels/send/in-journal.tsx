import type { JSX } from "preact";
import { phone } from "../../format.ts";
import type { Row } from "../../live/book.ts";
import { Badge } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { stateWords } from "../transactions/words.ts";

/** What the journal has of it, and what becomes of it while one looks. */
export function InJournal({ rows }: { readonly rows: readonly Row[] }): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <ul class="stack" aria-label="In the journal">
      {rows.map((row) => (
        <JournalRow key={row.request.requestId} row={row} />
      ))}
    </ul>
  );
}

function JournalRow({ row }: { readonly row: Row }): JSX.Element {
  const { text, tone } = stateWords(row);
  const { requestId, order } = row.request;
  return (
    <li class="row">
      <Badge tone={tone}>{text}</Badge>
      <a href={hrefOf({ panel: "transactions", item: requestId })}>Transaction</a>
      {row.transaction !== undefined && order !== undefined && (
        <a href={hrefOf({ panel: "phones", item: order.phoneNumber })}>Phone {phone(order.phoneNumber)}</a>
      )}
    </li>
  );
}
