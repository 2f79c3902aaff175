import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { carrierName } from "../../../../gateway/domain/carrier.ts";
import { fieldsOf, type RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { showKes } from "../../../../gateway/domain/kes.ts";
import { OPERATION_WORDS } from "../../../base/words.ts";
import { phone } from "../../../base/format.ts";
import { priceOf, type Sale, saleOf } from "../../../live/sales.ts";
import { DataTable } from "../../../parts/data-table.tsx";
import { Moment } from "../../../parts/parts.tsx";
import { type RowControl, TableRows } from "../../../parts/table-rows.tsx";
import { hrefOf, currentRoute } from "../../../base/route.ts";
import { account, accountNow } from "../../../live/store.ts";
import { filter, matchingSales, isFolding, type Listed } from "./found.ts";
import { currentRow, useRowKeys, useWantedFocus } from "./row-keys.ts";
import { isResendable, select, selectAll, selected } from "./selection.ts";
import { callbackWords, carrierWords, answerWords, repeatWords, stateWords, titleOf, whyWords } from "./words.ts";

const COLUMNS = ["You got", "Carrier", "Told", "To", "What", "Cost", "Why", "Time"];

/** The widths of the choice and of these. Why shows from 61 rem on, the carrier's name from 82 rem on; the inspector says both too. */
const WIDTHS =
  "1.5rem minmax(5.75rem, 9.5rem) 4.5rem minmax(6rem, 1.75fr) clamp(8rem, (100cqi - 82rem) * 999, 13.5rem) minmax(6.5rem, 1.5fr) 5.25rem clamp(0rem, (100cqi - 61rem) * 999, 20cqi - 5rem) 4rem";

/** In pixels. Rows with two lines, on narrow pages, are measured. */
const ROW_HEIGHT = 36;

/** The sales that match the filter, newest first. `list` names the account and the filter. */
export function RequestsTable({ list }: { readonly list: string }): JSX.Element {
  const control = useRef<RowControl<Listed> | undefined>(undefined);
  const { listed: rows } = matchingSales.value;
  useRowKeys(control);
  return (
    <DataTable
      label="Requests, newest first"
      heads={COLUMNS}
      numbers={["Cost", "Time"]}
      widths={WIDTHS}
      count={rows.length}
      first={
        <Tick
          label="Select all that are shown"
          isOn={selected.value.size > 0}
          onChange={(isOn) => selectAll(isOn ? rows : [])}
        />
      }
    >
      <TableRows
        items={rows}
        rowHeight={ROW_HEIGHT}
        keyOf={({ request, isPart }) => `${request.requestId}${isPart ? " part" : ""}`}
        label="Requests"
        list={list}
        control={control}
        held={() => rows.findIndex(isOpen)}
      >
        {(row, index) => <RequestRow row={row} sale={saleOf(row)} index={index} />}
      </TableRows>
    </DataTable>
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

interface RequestRowProps {
  readonly row: Listed;
  /** Rows change in place, but each change gives another reading of the sale: only then is a row drawn again. */
  readonly sale: Sale;
  readonly index: number;
}

function RequestRow({ row, sale, index }: RequestRowProps): JSX.Element {
  const cells = useMemo(() => <Cells row={{ ...row }} />, [row, sale]);
  return (
    <div role="row" aria-rowindex={index + 2} class={`table-row request${classesOf(row)}`}>
      <span role="cell">
        {isResendable(row) && (
          <Tick
            label={`Select ${titleOf(row.request)}`}
            isOn={selected.value.has(row.request.requestId)}
            onChange={(isOn) => select(row, isOn)}
          />
        )}
      </span>
      {cells}
    </div>
  );
}

function classesOf(row: Listed): string {
  return `${isOpen(row) ? " open" : ""}${row.isPart ? " part" : ""}${saleOf(row).isSoldTwice ? " sold-twice" : ""}`;
}

/** Returns whether the request is open, or one that is hidden in its sale. */
function isOpen({ sale }: Listed): boolean {
  const { item } = currentRoute.value;
  if (item === undefined || (sale.length > 1 && !isFolding.value)) return false;
  return sale.some(({ request }) => request.requestId === item);
}

function Cells({ row }: { readonly row: Listed }): JSX.Element {
  const { operation, at } = row.request;
  return (
    <>
      <span role="cell" class={`request-got${isWide(row) ? " whole-line" : ""}`} data-label="You got">
        <RowLink row={row} />
      </span>
      <CarrierCell row={row} />
      <CallbackCell row={row} />
      <ToCell row={row} />
      <span role="cell" class="whole-line request-what" data-label="What">
        {row.sale.length > 1 ? (
          <span class={`badge ${saleOf(row).isSoldTwice ? "bad" : "warm"}`}>{row.sale.length}×</span>
        ) : (
          OPERATION_WORDS[operation]
        )}{" "}
        <bdi>{contentOf(row.request)}</bdi>
      </span>
      <span role="cell" class="number" data-label="Cost">
        {costOf(row)}
      </span>
      <WhyCell row={row} />
      <span role="cell" class="number" data-label="Time">
        <Moment at={at} isShort />
      </span>
    </>
  );
}

/** Returns whether what was got needs a line of its own on a narrow page. */
function isWide(row: Listed): boolean {
  return answerWords(row).text.length > "no answer".length;
}

/** What was asked for, as it was sent. */
function contentOf(request: RequestRow): string | undefined {
  const { amount, message } = fieldsOf(request);
  return amount === undefined ? message : `KES ${showKes(amount)}`;
}

function ToCell({ row: { request, sale } }: { readonly row: Listed }): JSX.Element {
  const { phoneNumber, path } = request;
  const { carrier, ported = false } = sale.findLast((one) => one.transaction)?.transaction?.accepted ?? {};
  return (
    <span role="cell" class="one-line" data-label="To">
      <span class="number">{phoneNumber === undefined ? path : phone(phoneNumber)}</span>{" "}
      <span class="quiet">{carrier && `${carrierName(carrier)}${ported ? ", ported" : ""}`}</span>
    </span>
  );
}

/** Of the shown account. It hardly ever changes, so that no redraw of the account redraws the cells. */
const receiverTimeout = computed(() => account.value?.reading.state?.settings.callbacks.timeout ?? 0);

function WhyCell({ row }: { readonly row: Listed }): JSX.Element {
  const why = [row.sale.length > 1 && repeatWords(row), whyWords(row, receiverTimeout.value)]
    .filter(Boolean)
    .join(" · ");
  return (
    <span role="cell" class={`two-lines${isWide(row) ? "" : " whole-line"}`} data-label="Why" title={why}>
      <bdi>{why}</bdi>
    </span>
  );
}

function RowLink({ row }: { readonly row: Listed }): JSX.Element {
  const { requestId } = row.request;
  const link = useWantedFocus(requestId);
  const { text, tone } = answerWords(row);
  return (
    <a
      ref={link}
      href={hrefOf({
        view: "requests",
        item: requestId,
        query: { ...filter.value, tab: currentRoute.value.query["tab"] ?? "" },
      })}
      aria-current={currentRoute.value.item === requestId ? "true" : undefined}
      aria-label={rowTitle(row)}
      onFocus={() => void (currentRow.value = requestId)}
    >
      <span class={`badge ${tone}`} title={text}>
        {text}
      </span>
    </a>
  );
}

/** Contains what is shown, so that it can be said to a program that listens. */
function rowTitle(row: Listed): string {
  const { text } = answerWords(row);
  const state = stateWords(row).text;
  return `${state}: ${titleOf(row.request)}${state.includes(text) ? "" : `; got ${text}`}`;
}

function CarrierCell({ row }: { readonly row: Listed }): JSX.Element {
  const { text, tone } = carrierWords(row) ?? {};
  return (
    <span role="cell" class={tone} data-label="Carrier" title={text}>
      {text}
    </span>
  );
}

function CallbackCell({ row }: { readonly row: Listed }): JSX.Element {
  const { text = "", tone } = callbackWords(row, accountNow.value) ?? {};
  return (
    <span role="cell" class={`${tone ?? ""} whole-line two-lines`} data-label="Told" title={text}>
      {text}
    </span>
  );
}

function costOf(row: Listed): string {
  if (row.sale.every(({ transaction }) => transaction === undefined)) return "";
  return `${showKes(priceOf(row))}${saleOf(row).held > 0 ? " held" : ""}`;
}
