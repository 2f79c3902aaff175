import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

/** What the keys of a list need of it. */
export interface RowControl<Item> {
  /** The rows that are shown, which may be held. */
  readonly items: readonly Item[];
  /** Scrolls a row into view. */
  readonly show: (index: number) => void;
}

type Key = string | number;

type Scroller = { readonly current: HTMLElement | null };

interface TableRowsProps<Item> {
  /** Newest first. */
  readonly items: readonly Item[];
  /** In pixels, until a row has been measured. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => Key;
  readonly children: (item: Item, index: number) => ComponentChildren;
  readonly label: string;
  /** Names what the rows are taken from. A list of the same name is found again where it was left. */
  readonly list?: string;
  readonly control?: { current: RowControl<Item> | undefined };
  /** Returns the index of the row that stays in view when the row height changes; -1 for none. */
  readonly held?: () => number;
}

/** Rows drawn above and below the visible ones. */
const OVERSCAN = 4;

/**
 * The body of a table whose rows all have the height that CSS sets: only those in sight are drawn. Rows keep their places while the pointer
 * or the focus is in the list, or while it is scrolled down: new rows wait behind a button.
 */
export function TableRows<Item>(rows: TableRowsProps<Item>): JSX.Element {
  const { children, label } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const [last] = useState(() => ({ shown: itemsLeft(rows) }));
  useMemory(rows, last, scroller);
  const [seen, look] = useSeen(rows, scroller);
  const { items, fresh, goOn, check } = useHeldItems(rows, last, scroller, seen.top);
  const { top, height, row } = seen;
  const from = Math.max(0, Math.floor(top / row) - OVERSCAN);
  const drawn = items.slice(from, Math.ceil((top + height) / row) + OVERSCAN);
  useControl(rows, items, scroller, row);
  return (
    <div
      ref={scroller}
      class="virtual"
      role="rowgroup"
      aria-label={label}
      // A scrollable region must be reachable by keyboard.
      tabIndex={0}
      onScroll={look}
      onPointerLeave={check}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) check();
      }}
    >
      {fresh > 0 && <Fresh count={fresh} onShow={goOn} />}
      <div role="presentation" style={{ height: `${items.length * row}px` }}>
        <div role="presentation" style={{ transform: `translateY(${from * row}px)` }}>
          {/* By place: new rows take over the elements of others, and none has the focus then, because that holds the list. */}
          {drawn.map((item, index) => (
            <div key={from + index} role="presentation" data-row>
              {children(item, from + index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** A row of its own, so that it may stand in a table. It is no live region: a busy sandbox would interrupt a screen reader all the time. */
function Fresh({ count, onShow }: { readonly count: number; readonly onShow: () => void }): JSX.Element {
  return (
    <div role="row" class="table-fresh">
      <span role="cell">
        <button type="button" class="button primary small" onClick={onShow}>
          {count.toLocaleString("en")} new
        </button>
      </span>
    </div>
  );
}

interface HeldItems<Item> {
  /** The latest rows, or those that were shown when something began to hold the list. */
  readonly items: readonly Item[];
  /** How many rows came since. */
  readonly fresh: number;
  /** Shows the latest rows, from the top. */
  readonly goOn: () => void;
  /** Shows the latest rows if nothing holds the list any more. */
  readonly check: () => void;
}

/** The rows of the last redraw. */
interface Last<Item> {
  shown: readonly Item[] | undefined;
}

function useHeldItems<Item>(
  rows: TableRowsProps<Item>,
  last: Last<Item>,
  scroller: Scroller,
  top: number,
): HeldItems<Item> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const check = (): void => redraw(undefined);
  // Neither selector needs the layout, which every redraw would have to wait for.
  const isHeld = top > rows.rowHeight / 2 || (scroller.current?.matches(":hover, :focus-within") ?? true);
  const items = (isHeld && last.shown) || rows.items;
  last.shown = items;
  const goOn = (): void => {
    last.shown = undefined;
    scroller.current?.focus();
    scroller.current?.scrollTo({ top: 0 });
    check();
  };
  return { items, fresh: countFresh(rows.items, items), goOn, check };
}

function countFresh<Item>(latest: readonly Item[], shown: readonly Item[]): number {
  if (latest === shown) return 0;
  const known = new Set(shown);
  const first = latest.findIndex((item) => known.has(item));
  return first < 0 ? latest.length : first;
}

/** Where a list was left: its first row, and how far it was scrolled. */
interface Position {
  readonly list: string;
  readonly first: Key;
  readonly top: number;
}

/** The last position of each list, by its label. */
const positions = new Map<string, Position>();

/** Returns the rows as they were left, if the list was scrolled down and its first row is still there. */
function itemsLeft<Item>({ items, keyOf, label, list }: TableRowsProps<Item>): readonly Item[] | undefined {
  const left = positions.get(label);
  if (left === undefined || left.list !== list || left.top === 0) return undefined;
  const first = items.findIndex((item) => keyOf(item) === left.first);
  return first < 0 ? undefined : items.slice(first);
}

function useMemory<Item>({ label, list, keyOf }: TableRowsProps<Item>, last: Last<Item>, scroller: Scroller): void {
  useLayoutEffect(() => {
    if (list === undefined) return;
    const { current } = scroller;
    const left = positions.get(label);
    if (left?.list === list) current?.scrollTo({ top: left.top });
    return () => {
      const [first] = last.shown ?? [];
      if (first !== undefined) positions.set(label, { list, first: keyOf(first), top: current?.scrollTop ?? 0 });
    };
  }, []);
}

/** The visible part of a list, in pixels. */
interface Seen {
  readonly top: number;
  readonly height: number;
  /** The height of a row: at another width, rows may have two lines. */
  readonly row: number;
}

/** Measured when the list is scrolled, changes its size, or gets its first row. On paper all of it is seen. */
function useSeen<Item>({ rowHeight, items }: TableRowsProps<Item>, scroller: Scroller): [Seen, () => void] {
  const [seen, see] = useState<Seen>({ top: 0, height: 0, row: rowHeight });
  const look = (): void => {
    const { current } = scroller;
    if (current === null) return;
    const row = current.querySelector("[data-row]")?.getBoundingClientRect().height || rowHeight;
    // The head is as wide as the rows, which the scroll bar makes narrower.
    current.parentElement?.style.setProperty("--scrollbar", `${current.offsetWidth - current.clientWidth}px`);
    see({ top: current.scrollTop, height: current.clientHeight, row });
  };
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    const seeAll = (): void => see((screen) => ({ ...screen, top: 0, height: Infinity }));
    addEventListener("beforeprint", seeAll);
    addEventListener("afterprint", look);
    return () => {
      observer.disconnect();
      removeEventListener("beforeprint", seeAll);
      removeEventListener("afterprint", look);
    };
  }, [items.length > 0]);
  return [seen, look];
}

function useControl<Item>(
  { control, held }: TableRowsProps<Item>,
  items: readonly Item[],
  { current: scroller }: Scroller,
  row: number,
): void {
  /** Scrolls only as far as needed. */
  const show = (index: number): void => {
    if (scroller === null) return;
    const [top, bottom] = [index * row, (index + 1) * row];
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
  };
  if (control !== undefined) control.current = { items, show };
  useLayoutEffect(() => {
    const index = held?.() ?? -1;
    if (index >= 0) show(index);
  }, [row]);
}
