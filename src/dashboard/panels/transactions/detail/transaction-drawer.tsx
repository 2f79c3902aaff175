import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isUnsettled } from "../../../../account/transaction.ts";
import type { TransactionDetail } from "../../../../control-client/shapes.ts";
import { asCurl } from "../../../api/curl.ts";
import { accountClient } from "../../../api/sandbox.ts";
import type { Row } from "../../../live/book.ts";
import { Drawer } from "../../../parts/dialogs.tsx";
import { attempt, explain } from "../../../parts/notices.tsx";
import { CopyButton } from "../../../parts/parts.tsx";
import { goTo, hrefOf } from "../../../route.ts";
import { accountKey, book, caller, wallNow } from "../../../store.ts";
import { filter } from "../found.ts";
import { titleOf } from "../words.ts";
import { NotAccepted } from "./not-accepted.tsx";
import { Settle } from "./settle.tsx";
import { LedgerOf, Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";

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

function Actions({ row: { request, transaction } }: { readonly row: Row }): JSX.Element {
  return (
    <div class="row" role="group" aria-label="Actions">
      {transaction !== undefined && !isUnsettled(transaction.progress) && <Resend requestId={request.requestId} />}
      <CopyButton text={asCurl(request, caller())} label="as curl">
        Copy as curl
      </CopyButton>
      <CopyButton text={request.requestId} label="request_id">
        Copy request_id
      </CopyButton>
      {request.order !== undefined && (
        <a class="button small" href={hrefOf({ panel: "phones", item: request.order.phoneNumber })}>
          Open the phone
        </a>
      )}
    </div>
  );
}

function Resend({ requestId }: { readonly requestId: string }): JSX.Element {
  const isUnderWay = useSignal(false);
  const resend = async (): Promise<void> => {
    isUnderWay.value = true;
    const path = `transactions/${encodeURIComponent(requestId)}/resend`;
    await attempt(() => accountClient(accountKey.value ?? "").post(path, {}), "The callback is sent again.");
    isUnderWay.value = false;
  };
  return (
    <button type="button" class="button small primary" disabled={isUnderWay.value} onClick={() => void resend()}>
      Resend callback
    </button>
  );
}

/** What is known of one transaction. */
type Reading =
  | { readonly is: "reading" }
  | { readonly is: "read"; readonly detail: TransactionDetail }
  | { readonly is: "failed"; readonly text: string; readonly again: () => void };

/** Reads a transaction from the control API, and again whenever an event about it has come. A request that was not accepted has none. */
function useDetail(requestId: string, row: Row | undefined): Reading | undefined {
  const [reading, setReading] = useState<Reading>({ is: "reading" });
  const [tries, setTries] = useState(0);
  // No event tells that an acknowledgment has left, so while the client waits it is asked once a second.
  const clientWaits = reading.is === "read" && reading.detail.client_waits;
  const wasAccepted = row === undefined || row.transaction !== undefined;
  const key = wasAccepted ? accountKey.value : undefined;
  useEffect(() => {
    if (key === undefined) return;
    const asked = { isLatest: true };
    const read = async (): Promise<void> => {
      const next = await readDetail(key, requestId, () => setTries((count) => count + 1));
      // What was read stays when it cannot be read again: the journal may have forgotten it since.
      if (asked.isLatest) setReading((last) => (next.is === "failed" && last.is === "read" ? last : next));
    };
    void read();
    return () => void (asked.isLatest = false);
  }, [key, requestId, tries, progressOf(row), clientWaits && wallNow.value]);
  return wasAccepted ? reading : undefined;
}

async function readDetail(consumerKey: string, requestId: string, again: () => void): Promise<Reading> {
  try {
    return { is: "read", detail: await accountClient(consumerKey).get(`transactions/${encodeURIComponent(requestId)}`) };
  } catch (error) {
    return { is: "failed", text: explain(error), again };
  }
}

/** Another text after each event about the transaction. */
function progressOf(row: Row | undefined): string {
  if (row?.transaction === undefined) return "";
  const { progress, left } = row.transaction;
  const settled = "settled" in progress ? `${progress.deliveries.length} ${progress.attempts.length}` : "";
  return `${progress.state} ${settled} ${left === undefined ? "" : "left"}`;
}
