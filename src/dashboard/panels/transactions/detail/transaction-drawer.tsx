import type { JSX } from "preact";
import { Drawer } from "../../../parts/drawer.tsx";
import type { Row } from "../../../live/book.ts";
import { goTo } from "../../../route.ts";
import { book } from "../../../store.ts";
import { filter } from "../found.ts";
import { titleOf } from "../words.ts";
import { Actions } from "./actions.tsx";
import { LedgerOf } from "./ledger-of.tsx";
import { NotAccepted } from "./not-accepted.tsx";
import { Settle } from "./settle.tsx";
import { Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";
import { type Reading, useDetail } from "./use-detail.ts";

/** One request with all that happened to it. */
export function TransactionDrawer({ requestId }: { readonly requestId: string }): JSX.Element {
  const row = findRow(requestId);
  const reading = useDetail(requestId, row);
  return (
    <Drawer title={row === undefined ? `Request ${requestId}` : titleOf(row.request)} onClose={close}>
      {row !== undefined && <Summary row={row} />}
      {row !== undefined && <Actions row={row} />}
      {reading === undefined ? row !== undefined && <NotAccepted request={row.request} /> : <Told reading={reading} row={row} />}
    </Drawer>
  );
}

/** A copy: the book changes its rows in place, and what shows them is to be drawn again. */
function findRow(requestId: string): Row | undefined {
  const row = book.value?.book.rows.findLast(({ request }) => request.requestId === requestId);
  return row && { ...row };
}

function close(): void {
  goTo({ panel: "transactions", query: { ...filter.value } });
}

function Told({ reading, row }: { readonly reading: Reading; readonly row: Row | undefined }): JSX.Element {
  if (reading.is === "reading") return <p class="quiet">Reading its story…</p>;
  if (reading.is === "failed")
    return (
      <div role="alert" class="stack">
        <p>{reading.text}</p>
        <p class="quiet">An account keeps as much of its journal as its bounds allow, and a reset forgets all of it.</p>
        <button type="button" class="button" onClick={reading.again}>
          Try again
        </button>
      </div>
    );
  const { detail } = reading;
  return (
    <>
      {(detail.state === "queued" || detail.state === "stuck") && <Settle detail={detail} />}
      <Timeline detail={detail} request={row?.request} />
      <LedgerOf entries={detail.ledger} />
    </>
  );
}
