import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isUnsettled } from "../../../../account/transaction.ts";
import type { TransactionDetail } from "../../../../control-client/shapes.ts";
import { ControlError } from "../../../../control-client/control-client.ts";
import { accountClient } from "../../../api/sandbox.ts";
import type { Row } from "../../../live/book.ts";
import { explain } from "../../../parts/notices.tsx";
import { CopyButton } from "../../../parts/parts.tsx";
import { goTo, hrefOf, route, setQuery } from "../../../route.ts";
import { isTyping } from "../../../shell/keys.tsx";
import { accountKey, book } from "../../../store.ts";
import { filter } from "../found.ts";
import { titleOf } from "../words.ts";
import { CallbacksView } from "./callbacks-view.tsx";
import { NotAccepted } from "./not-accepted.tsx";
import { Settle } from "./settle.tsx";
import { Timeline, Waterfall } from "./story.tsx";
import { LedgerOf, Summary } from "./summary.tsx";
import { type ExchangeReading, RawView, RequestView, ResponseView } from "./wire-views.tsx";

/** What is open of a request, beside the rows: they go on, and j and k walk through them. */
export function Inspector({ requestId }: { readonly requestId: string }): JSX.Element {
  const row = findRow(requestId);
  const title = row === undefined ? `Request ${requestId}` : titleOf(row.request);
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => pane.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isTyping(event.target) && document.querySelector("dialog[open]") === null) close();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Resizer pane={pane} />
      <section ref={pane} class="inspector" aria-label={title} tabIndex={-1}>
        <header class="spread">
          <h2>{title}</h2>
          <button type="button" class="button small" onClick={close} title="Esc">
            Close
          </button>
        </header>
        <Opened key={requestId} requestId={requestId} row={row} />
      </section>
    </>
  );
}

function close(): void {
  goTo({ panel: "transactions", query: { ...filter.value } });
}

/** A copy: the book changes its rows in place, and what shows them is to be drawn again. */
function findRow(requestId: string): Row | undefined {
  const row = book.value?.book.rows.findLast(({ request }) => request.requestId === requestId);
  return row && { ...row };
}

interface OpenedProps {
  readonly requestId: string;
  readonly row: Row | undefined;
}

function Opened({ requestId, row }: OpenedProps): JSX.Element {
  const exchange = useExchange(requestId);
  const hasEnded = typeof exchange === "object" && exchange.ended !== null;
  const reading = useDetail(requestId, row, hasEnded);
  const wasAccepted = reading !== undefined;
  const tabs = wasAccepted ? TABS : TABS.filter(({ name }) => name !== "callbacks" && name !== "ledger");
  const shown = tabs.find(({ name }) => name === route.value.query["tab"])?.name ?? "story";
  return (
    <>
      <Tabs tabs={tabs} shown={shown} wasAccepted={wasAccepted} />
      <div id="inspector-view" class="inspector-view stack" role="tabpanel" aria-labelledby={`tab-${shown}`} tabIndex={0}>
        {shown === "request" && <RequestView request={row?.request} exchange={exchange} />}
        {shown === "response" && <ResponseView request={row?.request} exchange={exchange} />}
        {shown === "raw" && <RawView exchange={exchange} detail={reading?.is === "read" ? reading.detail : undefined} />}
        {shown === "story" && <Story row={row} exchange={exchange} reading={reading} />}
        {shown === "callbacks" && reading !== undefined && <Told reading={reading}>{(detail) => <CallbacksView detail={detail} />}</Told>}
        {shown === "ledger" && reading !== undefined && <Told reading={reading}>{(detail) => <LedgerOf entries={detail.ledger} />}</Told>}
      </div>
    </>
  );
}

const TABS = [
  { name: "story", title: "Story" },
  { name: "request", title: "Request" },
  { name: "response", title: "Acknowledgment" },
  { name: "callbacks", title: "Callbacks" },
  { name: "ledger", title: "Ledger" },
  { name: "raw", title: "Raw" },
] as const;

type Tab = (typeof TABS)[number];

const TAB_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly shown: Tab["name"];
  readonly wasAccepted: boolean;
}

/** The ARIA pattern: one Tab stop, and the arrow keys choose. */
function Tabs({ tabs, shown, wasAccepted }: TabsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const choose = ({ key }: KeyboardEvent): void => {
    const step = TAB_STEPS[key];
    if (step === undefined) return;
    const index = tabs.findIndex(({ name }) => name === shown);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    setQuery({ tab: next.name });
    list.current?.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <div ref={list} class="inspector-tabs" role="tablist" aria-label="Views of the request" onKeyDown={choose}>
      {tabs.map(({ name, title }) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === shown}
          aria-controls="inspector-view"
          tabIndex={name === shown ? 0 : -1}
          onClick={() => setQuery({ tab: name })}
        >
          {name === "response" && !wasAccepted ? "Response" : title}
        </button>
      ))}
    </div>
  );
}

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
        <a class="button small" href={hrefOf({ panel: "phones", item: request.order.phoneNumber })}>
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
  if (reading.is === "reading") return <p class="quiet">Reading its story…</p>;
  if (reading.is === "read") return children(reading.detail);
  return (
    <div role="alert" class="stack">
      <p>{reading.text}</p>
      <p class="quiet">An account keeps as much of its journal as its bounds allow, and a reset forgets all of it.</p>
      <button type="button" class="button" onClick={reading.again}>
        Try again
      </button>
    </div>
  );
}

/** What is known of one transaction. */
type Reading =
  | { readonly is: "reading" }
  | { readonly is: "read"; readonly detail: TransactionDetail }
  | { readonly is: "failed"; readonly text: string; readonly again: () => void };

/** Reads a transaction from the control API, and again whenever an event about it has come or its exchange has ended. A request that was not accepted has none. */
function useDetail(requestId: string, row: Row | undefined, hasEnded: boolean): Reading | undefined {
  const [reading, setReading] = useState<Reading>({ is: "reading" });
  const [tries, setTries] = useState(0);
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
  }, [key, requestId, tries, progressOf(row), hasEnded]);
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

/** Wall time between two looks at an exchange whose client still waits, in milliseconds; no event tells of its end. */
const LOOK_AGAIN = 500;

function useExchange(requestId: string): ExchangeReading {
  const [exchange, setExchange] = useState<ExchangeReading>(undefined);
  const key = accountKey.value ?? "";
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const next = await readExchange(key, requestId);
      if (!isWanted) return;
      setExchange(next);
      if (next !== "gone" && next.ended === null) timer = setTimeout(() => void read(), LOOK_AGAIN);
    };
    void read();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, requestId]);
  return exchange;
}

async function readExchange(consumerKey: string, requestId: string): Promise<Exclude<ExchangeReading, undefined>> {
  try {
    return await accountClient(consumerKey).get(`requests/${encodeURIComponent(requestId)}/exchange`);
  } catch (error) {
    if (error instanceof ControlError || error instanceof TypeError) return "gone";
    throw error;
  }
}

const WIDTH = "kredo-inspector-width";
const LEAST = 320;
const WIDTH_STEPS: Readonly<Record<string, number>> = { ArrowLeft: 32, ArrowRight: -32 };

/** The line between rows and inspector: dragged, or moved by the arrow keys. The width stays for the next visit. */
function Resizer({ pane }: { readonly pane: { readonly current: HTMLElement | null } }): JSX.Element {
  const width = useSignal(Number(localStorage.getItem(WIDTH) ?? 0));
  useLayoutEffect(() => {
    if (width.value > 0) pane.current?.style.setProperty("--inspector-width", `${width.value}px`);
  }, [width.value]);
  const set = (wanted: number): void => {
    width.value = Math.round(Math.min(Math.max(wanted, LEAST), innerWidth * 0.7));
    localStorage.setItem(WIDTH, String(width.value));
  };
  const current = (): number => pane.current?.offsetWidth ?? LEAST;
  return (
    <div
      class="inspector-resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuemin={LEAST}
      aria-valuemax={Math.round(innerWidth * 0.7)}
      aria-valuenow={width.value || current()}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = WIDTH_STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(current() + step);
      }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const { right } = pane.current?.getBoundingClientRect() ?? {};
        if (event.currentTarget.hasPointerCapture(event.pointerId) && right !== undefined) set(right - event.clientX);
      }}
    />
  );
}
