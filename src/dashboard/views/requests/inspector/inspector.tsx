import type { JSX } from "preact";
import type { TransactionDetail } from "../../../../control/client/shapes.ts";
import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { timeOfDay } from "../../../base/format.ts";
import type { Row } from "../../../live/sales.ts";
import { Tabs } from "../../../parts/controls.tsx";
import { CopyButton } from "../../../parts/parts.tsx";
import { Docked } from "../../../parts/docked.tsx";
import { goTo, hrefOf, currentRoute } from "../../../base/route.ts";
import { account } from "../../../live/store.ts";
import { filter } from "../list/found.ts";
import { backendAndCustomerOf, BackendAndCustomer } from "../list/backend-and-customer.tsx";
import { repeatWords, titleOf } from "../list/words.ts";
import { SendAgain, SideBySide } from "./again.tsx";
import { copiedTests } from "./copy-as-test.ts";
import { HttpView } from "./http-view.tsx";
import { PhoneMessage } from "./phone-message.tsx";
import { type DetailState, useDetail, useExchange } from "./use-detail.ts";
import { RefusalDetail } from "./refusal.tsx";
import { Timeline } from "./timeline.tsx";

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
  const loaded = useDetail(requestId, row, hasEnded);
  const shown = TABS.find(({ name }) => name === currentRoute.value.query["tab"])?.name ?? "timeline";
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
        {row !== undefined && <CopyAsTest row={row} />}
        {shown === "http" ? (
          <HttpView request={row?.request} exchange={exchange} attempts={detailOf(loaded)?.attempts ?? []} />
        ) : (
          <Story row={row} loaded={loaded} />
        )}
      </div>
    </>
  );
}

interface StoryProps {
  readonly row: Row | undefined;
  readonly loaded: DetailState | undefined;
}

function Story({ row, loaded }: StoryProps): JSX.Element {
  const transaction = row?.transaction;
  return (
    <>
      {row !== undefined && <Summary row={row} />}
      {loaded === undefined ? (
        row !== undefined && <RefusalDetail request={row.request} />
      ) : (
        <Steps row={row} {...loaded} />
      )}
      {transaction !== undefined && <PhoneMessage transaction={transaction} texts={detailOf(loaded)?.texts ?? []} />}
      {row !== undefined && <SendAgain request={row.request} />}
    </>
  );
}

function detailOf(loaded: DetailState | undefined): TransactionDetail | undefined {
  return loaded?.is === "loaded" ? loaded.detail : undefined;
}

/** What stands above the steps: the comparison with a repetition, both truths, and the other requests for the same. */
function Summary({ row }: { readonly row: Row }): JSX.Element {
  const truths = backendAndCustomerOf(row);
  return (
    <>
      <SideBySide requestId={row.request.requestId} />
      {truths !== undefined && <BackendAndCustomer {...truths} />}
      {row.sale.length > 1 && <Asked row={row} />}
    </>
  );
}

function Steps({ row, ...loaded }: DetailState & Pick<StoryProps, "row">): JSX.Element {
  if (loaded.is === "loading") return <p class="quiet">Loading the transaction…</p>;
  if (loaded.is === "loaded") return <Timeline detail={loaded.detail} row={row} />;
  return (
    <div role="alert" class="stack">
      <p>{loaded.text}</p>
      <p class="quiet">The journal keeps a limited number of requests, and a reset clears it.</p>
      <button type="button" class="button" onClick={loaded.again}>
        Try again
      </button>
    </div>
  );
}

/** Copies the requests of a sale as a test that plays the same failures. */
function CopyAsTest({ row }: { readonly row: Row }): JSX.Element | null {
  const tests = Object.entries(copiedTests(row.sale));
  if (tests.length === 0) return null;
  return (
    <p class="row">
      <span>Copy as test</span>
      {tests.map(([name, text]) => (
        <CopyButton key={name} text={text} label="copy as test">
          {name}
        </CopyButton>
      ))}
    </p>
  );
}

/** The other requests for the same. */
function Asked({ row }: { readonly row: Row }): JSX.Element {
  return (
    <p>
      {capital(repeatWords(row))}:{" "}
      {row.sale.slice(-MAX_LINKED).map(({ request: { requestId, at } }, index) => (
        <span key={requestId}>
          {index > 0 && ", "}
          {requestId === row.request.requestId ? (
            "this one"
          ) : (
            <a href={hrefOf({ view: "requests", item: requestId, query: { ...filter.value } })}>{timeOfDay(at)}</a>
          )}
        </span>
      ))}
    </p>
  );
}

const MAX_LINKED = 5;
