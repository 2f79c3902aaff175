import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { isUnsettled } from "../../../gateway/account/transaction.ts";
import { money, phone } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import { useClosed, useWantedFocus } from "../../parts/focus.ts";
import { Badge, CarrierBadge, Moment, Money } from "../../parts/parts.tsx";
import { type RowControl, TableRows } from "../../parts/table-rows.tsx";
import { hrefOf, route, setQuery, replaceItem } from "../../route.ts";
import { accountNow } from "../../store.ts";
import { freezeRows, NEWEST_FIRST, type SortKey, sortText } from "./filter.ts";
import { currentRow, filter, found, sort, wantedRow } from "./found.ts";
import { callbackWords, OPERATION_WORDS, stateWords, titleOf } from "./words.ts";
import { ROW_STEPS, useKeys } from "../../header/keys.tsx";

const COLUMNS: readonly { readonly title: string; readonly key?: SortKey }[] = [
  { title: "State" },
  { title: "Operation" },
  { title: "Number", key: "number" },
  { title: "Amount or text", key: "amount" },
  { title: "Charge", key: "charge" },
  { title: "Callback" },
  { title: "Rules fired" },
  { title: "Time", key: "time" },
];

/** In pixels. Rows with two lines, on narrow pages, are measured. */
const ROW_HEIGHT = 36;

/** The rows, newest first by default. While the user reads further down, new rows wait behind a button. */
export function TransactionsTable(): JSX.Element {
  const frozenAt = useSignal<number | undefined>(undefined);
  const control = useRef<RowControl | undefined>(undefined);
  const isNewestFirst = sortText(sort.value) === "";
  const { shown, fresh } = freezeRows(found.value.rows, isNewestFirst ? frozenAt.value : undefined);
  const read = (isFurtherDown: boolean): void => {
    frozenAt.value = isFurtherDown ? (frozenAt.value ?? shown[0]?.request.number) : undefined;
  };
  useRowKeys({ rows: shown, show: (index) => control.current?.show(index), read });
  const toNewest = (): void => {
    read(false);
    control.current?.show(0);
  };
  return (
    <div class="transactions-shown">
      <div
        class="table transactions-table"
        role="table"
        aria-label={isNewestFirst ? "Transactions, newest first" : "Transactions"}
        aria-rowcount={shown.length + 1}
      >
        <Head />
        <TableRows
          items={shown}
          rowHeight={ROW_HEIGHT}
          keyOf={({ request }) => request.requestId}
          label="Transactions"
          control={control}
          held={() => shown.findIndex(({ request }) => request.requestId === route.peek().item)}
          onScrolled={(offset) => read(offset > ROW_HEIGHT / 2)}
        >
          {(row, index) => <TransactionRow row={row} changedBy={row.changedBy} index={index} />}
        </TableRows>
      </div>
      <Fresh count={fresh} onShow={toNewest} />
    </div>
  );
}

function Head(): JSX.Element {
  return (
    <div role="rowgroup" class="table-head">
      <div role="row" aria-rowindex={1} class="table-row transaction">
        {COLUMNS.map(({ title, key }) =>
          key === undefined ? (
            <span key={title} role="columnheader">
              {title}
            </span>
          ) : (
            <SortableHead key={title} title={title} by={key} />
          ),
        )}
      </div>
    </div>
  );
}

function SortableHead({ title, by }: { readonly title: string; readonly by: SortKey }): JSX.Element {
  const { key, isDescending } = sort.value;
  const isSorted = key === by;
  const next = isSorted ? { key: by, isDescending: !isDescending } : { key: by, isDescending: by === NEWEST_FIRST.key };
  return (
    <span role="columnheader" aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}>
      <button type="button" class="sort" onClick={() => setQuery({ sort: sortText(next) })}>
        {title} <span aria-hidden="true">{isSorted ? (isDescending ? "↓" : "↑") : ""}</span>
      </button>
    </span>
  );
}

/** The live region is rendered from the start, otherwise screen readers ignore its updates. */
function Fresh({ count, onShow }: { readonly count: number; readonly onShow: () => void }): JSX.Element {
  return (
    <div class="transactions-fresh" role="status" aria-live="polite">
      {count > 0 && (
        <button type="button" class="button primary small" onClick={onShow}>
          {count.toLocaleString("en")} new
        </button>
      )}
    </div>
  );
}

/** Rows change in place, so `changedBy` decides whether one is drawn again. */
function TransactionRow({
  row,
  changedBy,
  index,
}: Pick<Row, "changedBy"> & { readonly row: Row; readonly index: number }): JSX.Element {
  const cells = useMemo(() => <Cells row={{ ...row }} />, [row, changedBy]);
  const { phoneNumber, requestId } = row.request;
  const classes = [
    "table-row transaction",
    phoneNumber === undefined && "without-number",
    route.value.item === requestId && "open",
  ];
  return (
    <div role="row" aria-rowindex={index + 2} class={classes.filter(Boolean).join(" ")}>
      {cells}
    </div>
  );
}

function Cells({ row }: { readonly row: Row }): JSX.Element {
  const { request, transaction } = row;
  const { requestId, phoneNumber, operation, at } = request;
  return (
    <>
      <Cell name="state">
        <RowLink row={row} requestId={requestId} />
      </Cell>
      <Cell name="operation">{OPERATION_WORDS[operation]}</Cell>
      <Cell name="phone">
        {phoneNumber !== undefined && <span class="number">{phone(phoneNumber)}</span>}{" "}
        {transaction !== undefined && (
          <CarrierBadge carrier={transaction.accepted.carrier} ported={transaction.accepted.ported} />
        )}
      </Cell>
      <Cell name="content">
        <Content row={row} />
      </Cell>
      <Cell name="charge">
        <Charge row={row} />
      </Cell>
      <Cell name="callback">
        <Callback row={row} />
      </Cell>
      <Cell name="rules">
        <Rules row={row} />
      </Cell>
      <Cell name="time">
        <Moment at={at} />
      </Cell>
    </>
  );
}

function Cell({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <span role="cell" class={`transaction-${name}`}>
      {children}
    </span>
  );
}

function RowLink({ row, requestId }: { readonly row: Row; readonly requestId: string }): JSX.Element {
  const link = useWantedFocus<HTMLAnchorElement>(wantedRow, requestId);
  const { text, tone } = stateWords(row);
  return (
    <a
      ref={link}
      href={hrefOf({
        view: "requests",
        item: requestId,
        query: { ...filter.value, tab: route.value.query["tab"] ?? "" },
      })}
      aria-current={route.value.item === requestId ? "true" : undefined}
      aria-label={`${text}: ${titleOf(row.request)}`}
      onFocus={() => void (currentRow.value = requestId)}
    >
      <Badge tone={tone}>{text}</Badge>
    </a>
  );
}

function Content({ row: { request } }: { readonly row: Row }): JSX.Element {
  const { order, statusCode, description } = request;
  const answered = statusCode === 200 ? undefined : <span class="quiet">{description}</span>;
  if (order === undefined) return <>{answered}</>;
  return (
    <>
      {order.operation === "airtime" ? (
        <span class="number">KES {money(order.amount)}</span>
      ) : (
        <bdi>{order.message}</bdi>
      )}{" "}
      {answered}
    </>
  );
}

function Charge({ row: { transaction } }: { readonly row: Row }): JSX.Element | null {
  if (transaction === undefined) return null;
  const { accepted, progress } = transaction;
  if (!isUnsettled(progress)) return <Money amount={progress.settled.charge} />;
  return <span class="number quiet">{money(accepted.hold)} held</span>;
}

function Callback({ row }: { readonly row: Row }): JSX.Element | null {
  const words = callbackWords(row, accountNow.value);
  if (words === undefined) return null;
  return <span class={`transactions-callback ${words.tone}`}>{words.text}</span>;
}

function Rules({ row: { request } }: { readonly row: Row }): JSX.Element | null {
  const fired = request.rules?.fired ?? [];
  if (fired.length === 0) return null;
  return <bdi>{fired.map(({ rule }) => rule).join("; ")}</bdi>;
}

interface RowKeys {
  readonly rows: readonly Row[];
  /** Scrolls to a row. */
  readonly show: (index: number) => void;
  /** Called with whether the user has moved below the first row. */
  readonly read: (isFurtherDown: boolean) => void;
}

/**
 * Arrow keys, j and k move between rows, and an open request follows. Enter opens a row, which is a link. Closing returns the focus to the
 * row.
 */
function useRowKeys(keys: RowKeys): void {
  useKeys((event) => {
    const step = ROW_STEPS[event.key];
    if (step === undefined || isElsewhere(event)) return;
    event.preventDefault();
    moveTo(indexAfter(step, keys.rows), keys);
  });
  useClosed(route.value.item, (item) => returnTo(item, keys));
}

function isElsewhere(event: KeyboardEvent): boolean {
  // Arrow keys scroll in the inspector.
  return event.ctrlKey || event.metaKey || event.altKey || (event.key.startsWith("Arrow") && isInInspector());
}

function isInInspector(): boolean {
  return document.activeElement?.closest(".inspector") !== null;
}

function indexAfter(step: number, rows: readonly Row[]): number {
  const current = route.peek().item ?? currentRow.peek();
  const index = rows.findIndex(({ request }) => request.requestId === current);
  return index < 0 ? 0 : Math.min(Math.max(index + step, 0), rows.length - 1);
}

function moveTo(index: number, { rows, show, read }: RowKeys): void {
  const row = rows[index];
  if (row === undefined) return;
  read(index > 0);
  show(index);
  const { requestId } = row.request;
  currentRow.value = requestId;
  if (!isInInspector()) wantedRow.value = requestId;
  if (route.peek().item !== undefined) replaceItem(requestId);
}

/** Returns the focus to a row, wherever it is by now. */
function returnTo(requestId: string, { rows, show }: RowKeys): void {
  const index = rows.findIndex(({ request }) => request.requestId === requestId);
  if (index < 0) return;
  show(index);
  currentRow.value = requestId;
  wantedRow.value = requestId;
}
