import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { isUnsettled } from "../../../../gateway/account/transaction.ts";
import type { TransactionDetail } from "../../../../control/client/shapes.ts";
import type { Row } from "../../../live/account-reading.ts";
import { Docked } from "../../../parts/docked.tsx";
import { CopyButton } from "../../../parts/parts.tsx";
import { Field } from "../../../parts/form.tsx";
import { goTo, hrefOf, route, setQuery } from "../../../route.ts";
import { account, accountKey } from "../../../store.ts";
import { filter } from "../found.ts";
import { titleOf } from "../words.ts";
import { CallbacksView } from "./callbacks-view.tsx";
import { NotAccepted, LedgerOf, Summary } from "./summary.tsx";
import { type Reading, useDetail, useExchange } from "./readings.ts";
import { Timeline, Waterfall } from "./story.tsx";
import { type ExchangeReading, RawView, RequestView, ResponseView } from "./wire-views.tsx";
import { useSignal } from "@preact/signals";
import { accountClient } from "../../../api/sandbox.ts";
import { attempt } from "../../../parts/notices.tsx";
import { Tabs } from "../../../parts/controls.tsx";

/** Shows one request beside the rows. The rows stay live, and j and k move through them. */
export function Inspector({ requestId }: { readonly requestId: string }): JSX.Element {
  const row = findRow(requestId);
  const title = row === undefined ? `Request ${requestId}` : titleOf(row.request);
  return (
    <Docked title={title} onClose={close}>
      <Opened key={requestId} requestId={requestId} row={row} />
    </Docked>
  );
}

function close(): void {
  goTo({ view: "requests", query: { ...filter.value } });
}

/** Returns a copy, because rows change in place and a copy triggers the redraw. */
function findRow(requestId: string): Row | undefined {
  const row = account.value?.reading.find(requestId);
  return row && { ...row };
}

function Opened({ requestId, row }: { requestId: string; row: Row | undefined }): JSX.Element {
  const exchange = useExchange(requestId);
  const hasEnded = typeof exchange === "object" && exchange.ended !== null;
  const reading = useDetail(requestId, row, hasEnded);
  const wasAccepted = reading !== undefined;
  const tabs = wasAccepted ? TABS : TABS_OF_REFUSED;
  const shown = tabs.find(({ name }) => name === route.value.query["tab"])?.name ?? "story";
  return (
    <>
      <Tabs name="tab" label="Views of the request" tabs={tabs} shown={shown} panel="inspector-view" />
      <div
        id="inspector-view"
        class="inspector-view stack"
        role="tabpanel"
        aria-labelledby={`tab-${shown}`}
        tabIndex={0}
      >
        <View tab={shown} row={row} exchange={exchange} reading={reading} />
      </div>
    </>
  );
}

function View({ tab, row, exchange, reading }: StoryProps & { readonly tab: Tab["name"] }): JSX.Element | null {
  const wire = { request: row?.request, exchange };
  switch (tab) {
    case "story":
      return <Story row={row} exchange={exchange} reading={reading} />;
    case "request":
      return <RequestView {...wire} />;
    case "response":
      return <ResponseView {...wire} />;
    case "raw":
      return <RawView exchange={exchange} detail={reading?.is === "read" ? reading.detail : undefined} />;
    case "callbacks":
      return reading === undefined ? null : (
        <Told reading={reading}>{(detail) => <CallbacksView detail={detail} />}</Told>
      );
    case "ledger":
      return reading === undefined ? null : (
        <Told reading={reading}>{(detail) => <LedgerOf entries={detail.ledger} />}</Told>
      );
  }
}

const TABS = [
  { name: "story", title: "Story" },
  { name: "request", title: "Request" },
  { name: "response", title: "Acknowledgment" },
  { name: "callbacks", title: "Callbacks" },
  { name: "ledger", title: "Ledger" },
  { name: "raw", title: "Raw" },
] as const;

/** A refused request has no callbacks, no ledger entries, and a response instead of an acknowledgment. */
const TABS_OF_REFUSED = TABS.filter(({ name }) => name !== "callbacks" && name !== "ledger").map((tab) =>
  tab.name === "response" ? { ...tab, title: "Response" } : tab,
);

type Tab = (typeof TABS)[number];

interface StoryProps {
  readonly row: Row | undefined;
  readonly exchange: ExchangeReading;
  readonly reading: Reading | undefined;
}

function Story({ row, exchange, reading }: StoryProps): JSX.Element {
  return (
    <>
      {row !== undefined && <Summary row={row} />}
      {row !== undefined && <Links row={row} />}
      {row?.transaction !== undefined && <Waterfall transaction={row.transaction} exchange={exchange} />}
      {reading === undefined ? (
        row !== undefined && <NotAccepted request={row.request} />
      ) : (
        <Told reading={reading}>
          {(detail) => (
            <>
              {(detail.state === "queued" || detail.state === "stuck") && <Settle detail={detail} />}
              <Timeline detail={detail} request={row?.request} />
            </>
          )}
        </Told>
      )}
    </>
  );
}

function Links({ row: { request, transaction } }: { readonly row: Row }): JSX.Element {
  return (
    <div class="row" role="group" aria-label="Actions">
      {transaction !== undefined && !isUnsettled(transaction.progress) && (
        <button type="button" class="button small" onClick={() => setQuery({ tab: "callbacks" })}>
          Resend callback…
        </button>
      )}
      <CopyButton text={request.requestId} label="request_id">
        Copy request_id
      </CopyButton>
      {request.order !== undefined && (
        <a class="button small" href={hrefOf({ view: "requests", item: request.order.phoneNumber })}>
          Open the phone
        </a>
      )}
    </div>
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

interface ManualResult {
  readonly result_code?: number;
  readonly result_desc?: string;
}

function Settle({ detail }: { readonly detail: TransactionDetail }): JSX.Element {
  const isUnderWay = useSignal(false);
  const settle = async (ending: ManualResult): Promise<void> => {
    isUnderWay.value = true;
    const path = `transactions/${encodeURIComponent(detail.request_id)}/settle`;
    await attempt(() => accountClient(accountKey.value ?? "").post(path, ending), "Settled.");
    isUnderWay.value = false;
  };
  const { result_code: code, result_desc: words } = detail.plan;
  return (
    <section class="card stack" aria-label="Settle now">
      <h3>Settle now</h3>
      <div class="spread">
        <p>
          Planned: {code}, <bdi>{words}</bdi>
        </p>
        <button type="button" class="button primary" disabled={isUnderWay.value} onClick={() => void settle({})}>
          Settle as planned
        </button>
      </div>
      <Otherwise isUnderWay={isUnderWay.value} onSettle={(ending) => void settle(ending)} />
    </section>
  );
}

function Otherwise({
  isUnderWay,
  onSettle,
}: {
  readonly isUnderWay: boolean;
  readonly onSettle: (ending: ManualResult) => void;
}): JSX.Element {
  const code = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = words.current?.value.trim() ?? "";
    onSettle({ result_code: Number(code.current?.value), ...(text !== "" && { result_desc: text }) });
  };
  return (
    <form class="transaction-settle" onSubmit={submit}>
      <Field label="Result code">
        <input ref={code} type="number" min="0" max="999999" step="1" required inputMode="numeric" placeholder="500" />
      </Field>
      <Field label="Result text">
        <input ref={words} type="text" dir="auto" autocomplete="off" placeholder="Rejected by the operator" />
      </Field>
      <button type="submit" class="button" disabled={isUnderWay}>
        Settle with this result
      </button>
    </form>
  );
}
