import { Fragment, type JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { CallbackWords } from "../../../../gateway/account/readings/describe-callbacks.ts";
import type { Row } from "../../../live/sales.ts";
import { saleOf } from "../../../live/sales.ts";
import { DataTable } from "../../../parts/data-table.tsx";
import { Moment } from "../../../parts/parts.tsx";
import { type RowControl, TableRows } from "../../../parts/table-rows.tsx";
import { hrefOf, currentRoute } from "../../../base/route.ts";
import { accountNow } from "../../../live/store.ts";
import { filter, matchingSales, type Listed, type SaleOrder, shownRow } from "./found.ts";
import { cellsOf, wrongColumn } from "./row-cells.ts";
import { currentRow, isStep, useRowKeys, useWantedFocus } from "./row-keys.ts";
import { callbackWords, repairWords, stateWords, titleOf } from "./words.ts";

/** CSS gives their widths, and leaves some out on narrower pages; the inspector says everything. */
const COLUMNS = ["You got", "Carrier", "Told", "To", "What", "Cost", "Why", "Time"];

/** In pixels. Rows with two lines, on narrow pages, are measured. */
const ROW_HEIGHT = 36;

/** The sales that match the filter, newest first, with the orders of what was sold twice. `list` names the account and the filter. */
export function RequestsTable({ list }: { readonly list: string }): JSX.Element {
  const control = useRef<RowControl<Listed> | undefined>(undefined);
  const { listed } = matchingSales.value;
  useRowKeys(control);
  return (
    <DataTable label="Requests, newest first" heads={COLUMNS} numbers={["Cost", "Time"]} count={listed.length}>
      <TableRows
        items={listed}
        rowHeight={ROW_HEIGHT}
        keyOf={keyOf}
        label="Requests"
        list={list}
        control={control}
        held={() => listed.findIndex(isOpen)}
      >
        {(line, index) => (
          <Line line={line} changedBy={"under" in line ? line.order.changedBy : line.changedBy} index={index} />
        )}
      </TableRows>
    </DataTable>
  );
}

function keyOf(line: Listed): string {
  return "under" in line ? `${line.order.request.requestId} part` : line.request.requestId;
}

/** Returns whether the request of a line is open, or another one of its sale. */
function isOpen(line: Listed): boolean {
  const { item } = currentRoute.value;
  const shown = "under" in line ? [line.order] : line.sale;
  return item !== undefined && shown.some(({ request }) => request.requestId === item);
}

interface LineProps {
  readonly line: Listed;
  /** Rows change in place: only then is a line drawn again. */
  readonly changedBy: number;
  readonly index: number;
}

function Line({ line, changedBy, index }: LineProps): JSX.Element {
  const [cells, kind] = useMemo(() => drawn(line), [line, changedBy]);
  return (
    <div role="row" aria-rowindex={index + 2} class={`table-row request ${kind}${isOpen(line) ? " open" : ""}`}>
      {cells}
    </div>
  );
}

/** Returns the cells of a line, and the classes of its kind. */
function drawn(line: Listed): readonly [JSX.Element, string] {
  if ("under" in line && line.more !== undefined) return [<More key="" {...line} />, "part"];
  // A copy, because rows change in place.
  const row = { ...shownRow(line) };
  const wrong = wrongColumn(row);
  const kinds = [
    "under" in line && "part",
    saleOf(row).isSoldTwice && "sold-twice",
    callbackWords(row, 0) === undefined && "untold",
    wrong !== undefined && `wrong-${wrong}`,
  ];
  return [<Cells key="" row={row} isStep={isStep(line)} />, kinds.filter(Boolean).join(" ")];
}

function More({ under, more = 0 }: SaleOrder): JSX.Element {
  return (
    <span role="cell" aria-colspan={COLUMNS.length} class="quiet more">
      and {more.toLocaleString("en")} more for {titleOf(under.request)}
    </span>
  );
}

interface CellsProps {
  readonly row: Row;
  /** Whether the keys lead to it. */
  readonly isStep: boolean;
}

function Cells({ row, isStep }: CellsProps): JSX.Element {
  const { got, by, carrier, to, network, what, cost, why } = cellsOf(row);
  return (
    <>
      <Cell of="You got" class={got.tone} title={got.text}>
        <RowLink row={row} text={got.text} isStep={isStep} /> <span class="quiet">{by}</span>
      </Cell>
      <Words of="Carrier" {...carrier} />
      <Told row={row} />
      <Cell of="To" class="one-line">
        <span class="number">{to}</span> <span class="quiet">{network}</span>
      </Cell>
      <Cell of="What" title={what}>
        <bdi>{what}</bdi>
      </Cell>
      <Cell of="Cost" class="number">
        {cost}
      </Cell>
      <Cell of="Why" title={[why, repairWords(row)].filter(Boolean).join("\n")}>
        <bdi>
          {why.split(" ").map((word, index) => (
            <Fragment key={index}>
              {index > 0 && " "}
              <span class={index === 0 ? undefined : "word"}>{word}</span>
            </Fragment>
          ))}
        </bdi>
      </Cell>
      <Cell of="Time" class="number">
        <Moment at={row.request.at} isShort />
      </Cell>
    </>
  );
}

type CellProps = Pick<JSX.IntrinsicElements["span"], "class" | "title" | "children"> & { readonly of: string };

function Cell({ of, ...shown }: CellProps): JSX.Element {
  return <span role="cell" data-label={of} {...shown} />;
}

function Words({ of, text, tone }: Partial<CallbackWords> & Pick<CellProps, "of">): JSX.Element {
  return (
    <Cell of={of} class={tone} title={text}>
      {text}
    </Cell>
  );
}

/** Follows the clock: a callback that waits is in flight from its moment on. */
function Told({ row }: { readonly row: Row }): JSX.Element {
  return <Words of="Told" {...callbackWords(row, accountNow.value)} />;
}

interface RowLinkProps extends Pick<CellsProps, "row" | "isStep"> {
  readonly text: string;
}

function RowLink({ row, text, isStep }: RowLinkProps): JSX.Element {
  const { requestId } = row.request;
  const link = useWantedFocus(isStep ? requestId : undefined);
  return (
    <a
      ref={link}
      href={hrefOf({
        view: "requests",
        item: requestId,
        query: { ...filter.value, tab: currentRoute.value.query["tab"] ?? "" },
      })}
      aria-current={currentRoute.value.item === requestId ? "true" : undefined}
      aria-label={rowTitle(row, text)}
      onFocus={() => void (currentRow.value = requestId)}
    >
      {text}
    </a>
  );
}

/** Contains what is shown, so that it can be said to a program that listens. */
function rowTitle(row: Row, text: string): string {
  const state = stateWords(row).text;
  return `${state}: ${titleOf(row.request)}${state.includes(text) ? "" : `; got ${text}`}`;
}
