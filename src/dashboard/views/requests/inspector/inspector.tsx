import type { JSX } from "preact";
import { asCurl } from "../../../api/curl.ts";
import { currentRoute, goTo } from "../../../base/route.ts";
import type { Row } from "../../../live/sales.ts";
import { caller } from "../../../live/store.ts";
import { Tabs } from "../../../parts/controls.tsx";
import { Docked } from "../../../parts/docked.tsx";
import { CopyButton } from "../../../parts/parts.tsx";
import { Popover } from "../../../parts/popover.tsx";
import { filter } from "../list/found.ts";
import { titleOf } from "../list/words.ts";
import { SendAgain, SideBySide } from "./again.tsx";
import { copiedTests } from "./copy-as-test.ts";
import { HttpView } from "./http-view.tsx";
import { PhoneMessage } from "./phone-message.tsx";
import { RefusalDetail } from "./refusal.tsx";
import { Timeline } from "./timeline.tsx";
import { Truths } from "./truths.tsx";
import { useExchange, useRow } from "./use-detail.ts";

/** Shows one request beside the rows. The rows stay live, and j and k move through them. */
export function Inspector({ requestId }: { readonly requestId: string }): JSX.Element {
  const row = useRow(requestId);
  const isFound = typeof row === "object";
  return (
    <Docked
      title={isFound ? titleOf(row.request) : `Request ${requestId}`}
      actions={isFound && <CopyMenu row={row} />}
      onClose={() => goTo({ view: "requests", query: { ...filter.value } })}
    >
      {isFound ? (
        <Opened key={requestId} row={row} />
      ) : (
        <p class="inspector-view">
          {row === "gone"
            ? "No such request is kept: the journal keeps a limited number of them, and a reset clears it."
            : "Reading the journal…"}
        </p>
      )}
    </Docked>
  );
}

/** Everything of a request that can be copied. */
function CopyMenu({ row }: { readonly row: Row }): JSX.Element {
  const tests = copiedTests(row.sale);
  return (
    <Popover id="copy" label="Copy" shows="Copy…">
      <div class="stack menu">
        <CopyButton text={asCurl(row.request, caller())} label="the request">
          Copy as curl
        </CopyButton>
        {Object.entries(tests).map(([name, text]) => (
          <CopyButton key={name} text={text} label="copy as test">
            {name}
          </CopyButton>
        ))}
        <CopyButton text={row.request.requestId} label="copy">
          request_id
        </CopyButton>
      </div>
    </Popover>
  );
}

const TABS = [
  { name: "timeline", title: "Timeline" },
  { name: "http", title: "HTTP" },
] as const;

function Opened({ row }: { readonly row: Row }): JSX.Element {
  const exchange = useExchange(row.request.requestId);
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
        {shown === "http" ? (
          <HttpView row={row} exchange={exchange} />
        ) : (
          <Story row={row} isClientWaiting={typeof exchange === "object" && exchange.ended === null} />
        )}
      </div>
    </>
  );
}

/** What came of a request: in sum, then event by event. */
function Story({ row, isClientWaiting }: { readonly row: Row; readonly isClientWaiting: boolean }): JSX.Element {
  const { request, transaction } = row;
  return (
    <>
      <SideBySide requestId={request.requestId} />
      <Truths row={row} />
      {transaction === undefined ? (
        <RefusalDetail request={request} />
      ) : (
        <>
          <Timeline row={row} transaction={transaction} isClientWaiting={isClientWaiting} />
          <PhoneMessage transaction={transaction} />
        </>
      )}
      <SendAgain request={request} />
    </>
  );
}
