import type { JSX } from "preact";
import type { TransactionDetail } from "../../../../control/client/shapes.ts";
import type { Row } from "../../../live/account-reading.ts";
import { Tabs } from "../../../parts/controls.tsx";
import { Docked } from "../../../parts/docked.tsx";
import { goTo, route } from "../../../route.ts";
import { account } from "../../../store.ts";
import { filter } from "../found.ts";
import { truthsOf } from "../truths.ts";
import { titleOf } from "../words.ts";
import { Again } from "./again.tsx";
import { HttpView } from "./http-view.tsx";
import { PhoneMessage } from "./phone-message.tsx";
import { type ExchangeReading, type Reading, useDetail, useExchange } from "./readings.ts";
import { Refusal } from "./refusal.tsx";
import { Timeline } from "./timeline.tsx";
import { Waterfall } from "./waterfall.tsx";

/** Shows one request beside the rows. The rows stay live, and j and k move through them. */
export function Inspector({ requestId }: { readonly requestId: string }): JSX.Element {
  // A copy, because rows change in place and a copy triggers the redraw.
  const found = account.value?.reading.find(requestId);
  const row = found && { ...found };
  return (
    <Docked title={row === undefined ? `Request ${requestId}` : titleOf(row.request)} onClose={close}>
      <Opened key={requestId} requestId={requestId} row={row} />
    </Docked>
  );
}

function close(): void {
  goTo({ view: "requests", query: { ...filter.value } });
}

const TABS = [
  { name: "timeline", title: "Timeline" },
  { name: "http", title: "HTTP" },
] as const;

function Opened({ requestId, row }: { requestId: string; row: Row | undefined }): JSX.Element {
  const exchange = useExchange(requestId);
  const hasEnded = typeof exchange === "object" && exchange.ended !== null;
  const reading = useDetail(requestId, row, hasEnded);
  const shown = TABS.find(({ name }) => name === route.value.query["tab"])?.name ?? "timeline";
  return (
    <>
      <Tabs name="tab" label="Views of the request" tabs={TABS} shown={shown} panel="inspector-view" />
      <div
        id="inspector-view"
        class="inspector-view stack"
        role="tabpanel"
        aria-labelledby={`tab-${shown}`}
        tabIndex={0}
      >
        {shown === "http" ? (
          <HttpView
            request={row?.request}
            exchange={exchange}
            attempts={reading?.is === "read" ? reading.detail.attempts : []}
          />
        ) : (
          <Story row={row} exchange={exchange} reading={reading} />
        )}
      </div>
    </>
  );
}

interface StoryProps {
  readonly row: Row | undefined;
  readonly exchange: ExchangeReading;
  readonly reading: Reading | undefined;
}

function Story({ row, exchange, reading }: StoryProps): JSX.Element {
  const transaction = row?.transaction;
  return (
    <>
      {row !== undefined && <TruthsLine row={row} />}
      {transaction !== undefined && <Waterfall transaction={transaction} exchange={exchange} />}
      {reading === undefined ? (
        row !== undefined && <Refusal request={row.request} />
      ) : (
        <Told reading={reading}>{(detail) => <Timeline detail={detail} row={row} />}</Told>
      )}
      {transaction !== undefined && <PhoneMessage transaction={transaction} />}
      {row !== undefined && <Again request={row.request} />}
    </>
  );
}

/** What the backend can know, and what really happened. */
function TruthsLine({ row }: { readonly row: Row }): JSX.Element | null {
  const truths = truthsOf(row);
  if (truths === undefined) return null;
  return (
    <p class="truths">
      Your backend knows: <strong>{truths.knows}</strong>. The customer got: <strong>{truths.got}</strong>. You paid:{" "}
      <strong>{truths.paid}</strong>.
    </p>
  );
}

function Told({
  reading,
  children,
}: {
  readonly reading: Reading;
  readonly children: (detail: TransactionDetail) => JSX.Element;
}): JSX.Element {
  if (reading.is === "reading") return <p class="quiet">Loading the transaction…</p>;
  if (reading.is === "read") return children(reading.detail);
  return (
    <div role="alert" class="stack">
      <p>{reading.text}</p>
      <p class="quiet">The journal keeps a limited number of requests, and a reset clears it.</p>
      <button type="button" class="button" onClick={reading.again}>
        Try again
      </button>
    </div>
  );
}
