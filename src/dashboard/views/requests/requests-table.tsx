import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { isUnresolved, latestResult } from "../../../gateway/account/transaction.ts";
import { money, phone } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import { useWantedFocus } from "../../parts/focus.ts";
import { Moment } from "../../parts/parts.tsx";
import { type RowControl, TableRows } from "../../parts/table-rows.tsx";
import { hrefOf, route } from "../../route.ts";
import { account, accountNow } from "../../store.ts";
import { filter, found } from "./found.ts";
import { currentRow, useRowKeys, wantedRow } from "./row-keys.ts";
import { isResendable, select, selectAll, selected } from "./selection.ts";
import {
  callbackWords,
  carrierWords,
  gotWords,
  OPERATION_WORDS,
  stateWords,
  titleOf,
  type TonedText,
  whyWords,
} from "./words.ts";

const COLUMNS = ["You got", "Carrier", "Callback", "To", "What", "Cost", "Why", "Time"];

/** In pixels. Rows with two lines, on narrow pages, are measured. */
const ROW_HEIGHT = 36;

/** The requests that match the filter, newest first. `list` names the account and the filter. */
export function RequestsTable({ list }: { readonly list: string }): JSX.Element {
  const control = useRef<RowControl<Row> | undefined>(undefined);
  const { rows } = found.value;
  useRowKeys(control);
  return (
    <div class="table requests-table" role="table" aria-label="Requests, newest first" aria-rowcount={rows.length + 1}>
      <Head rows={rows} />
      <TableRows
        items={rows}
        rowHeight={ROW_HEIGHT}
        keyOf={({ request }) => request.requestId}
        label="Requests"
        list={list}
        control={control}
        held={() => rows.findIndex(({ request }) => request.requestId === route.peek().item)}
      >
        {(row, index) => <RequestRow row={row} changedBy={row.changedBy} index={index} />}
      </TableRows>
    </div>
  );
}

function Head({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  return (
    <div role="rowgroup" class="table-head">
      <div role="row" aria-rowindex={1} class="table-row request">
        <span role="columnheader">
          <Tick
            label="Select all that are shown"
            isOn={selected.value.size > 0}
            onChange={(isOn) => selectAll(isOn ? rows : [])}
          />
        </span>
        {COLUMNS.map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Tick({ label, isOn, onChange }: TickProps): JSX.Element {
  return (
    <label class="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  );
}

/** Rows change in place, so `changedBy` decides whether one is drawn again. */
function RequestRow({
  row,
  changedBy,
  index,
}: Pick<Row, "changedBy"> & { readonly row: Row; readonly index: number }): JSX.Element {
  const cells = useMemo(() => <Cells row={{ ...row }} />, [row, changedBy]);
  const { requestId } = row.request;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      class={`table-row request${route.value.item === requestId ? " open" : ""}`}
    >
      <span role="cell">
        {isResendable(row) && (
          <Tick
            label={`Select ${titleOf(row.request)}`}
            isOn={selected.value.has(requestId)}
            onChange={(isOn) => select(row, isOn)}
          />
        )}
      </span>
      {cells}
    </div>
  );
}

/** Every cell has the same elements in each row, so that rows can take them over from one another. */
function Cells({ row }: { readonly row: Row }): JSX.Element {
  const { request, transaction } = row;
  const { phoneNumber, at } = request;
  const { carrier, ported = false } = transaction?.accepted ?? {};
  const why = whyWords(row, account.value?.reading.state?.settings.callbacks.timeout ?? 0);
  return (
    <>
      <span role="cell" class="request-got">
        <RowLink row={row} />
      </span>
      <Words name="carrier" words={carrierWords(row)} />
      <CallbackCell row={row} />
      <span role="cell" class="request-to">
        <span class="number">{phoneNumber === undefined ? request.path : phone(phoneNumber)}</span>{" "}
        <span class="quiet">{carrier && `${carrierName(carrier)}${ported ? ", ported" : ""}`}</span>
      </span>
      <span role="cell" class="request-what">
        {OPERATION_WORDS[request.operation]} <bdi>{contentOf(row)}</bdi>
      </span>
      <span role="cell" class="request-cost number">
        {costOf(row)}
      </span>
      <span role="cell" class="request-why" title={why}>
        <bdi>{why}</bdi>
      </span>
      <span role="cell" class="request-time">
        <Moment at={at} />
      </span>
    </>
  );
}

function RowLink({ row }: { readonly row: Row }): JSX.Element {
  const { requestId } = row.request;
  const link = useWantedFocus<HTMLAnchorElement>(wantedRow, requestId);
  const { text, tone } = gotWords(row);
  return (
    <a
      ref={link}
      href={hrefOf({
        view: "requests",
        item: requestId,
        query: { ...filter.value, tab: route.value.query["tab"] ?? "" },
      })}
      aria-current={route.value.item === requestId ? "true" : undefined}
      aria-label={rowTitle(row)}
      onFocus={() => void (currentRow.value = requestId)}
    >
      <span class={`badge ${tone}`}>{text}</span>
    </a>
  );
}

/** Contains what is shown, so that it can be said to a program that listens. */
function rowTitle(row: Row): string {
  const { text } = gotWords(row);
  const state = stateWords(row).text;
  return `${state}: ${titleOf(row.request)}${state.includes(text) ? "" : `; got ${text}`}`;
}

function CallbackCell({ row }: { readonly row: Row }): JSX.Element {
  return <Words name="callback" words={callbackWords(row, accountNow.value)} />;
}

function Words({ name, words }: { readonly name: string; readonly words: TonedText | undefined }): JSX.Element {
  return (
    <span role="cell" class={`request-${name} ${words?.tone ?? ""}`} title={words?.text}>
      {words?.text}
    </span>
  );
}

function contentOf({ request: { order } }: Row): string {
  if (order === undefined) return "";
  return order.operation === "airtime" ? `KES ${money(order.amount)}` : order.message;
}

function costOf({ transaction }: Row): string {
  if (transaction === undefined) return "";
  const { accepted, progress } = transaction;
  return isUnresolved(progress) ? `${money(accepted.hold)} held` : money(latestResult(progress).charge);
}
