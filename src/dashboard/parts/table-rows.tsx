import type { ComponentChildren, JSX } from "preact";
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

/** What the keys of a list need of it. */
export interface RowControl<Item> {
  /** The rows that are shown, which may be frozen. */
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
 * The body of a table whose rows all have the height that CSS sets. Measures one row and computes the position of the others, so a redraw
 * costs only as much as the visible rows. Nothing moves while the pointer or the focus is in it, or while it is scrolled down: new rows wait
 * behind a button.
 */
export function TableRows<Item>(rows: TableRowsProps<Item>): JSX.Element {
  const { rowHeight, label } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const { items, fresh, hold, thaw } = useFrozen(rows);
  const [seen, look] = useSeen(scroller, rowHeight, items.length > 0);
  const show = (index: number): void => scrollTo(scroller.current, index * seen.row, (index + 1) * seen.row);
  useMemory(rows, { items, top: seen.top }, scroller);
  useShow(rows, { items, show }, seen.row);
  const showFresh = (): void => {
    scroller.current?.focus();
    scroller.current?.scrollTo({ top: 0 });
    thaw();
  };
  return (
    <div
      ref={scroller}
      class="virtual"
      role="rowgroup"
      aria-label={label}
      // A scrollable region must be reachable by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop } }) => {
        look();
        hold("scrolled", scrollTop > rowHeight / 2);
      }}
      onPointerEnter={() => hold("pointer", true)}
      onPointerLeave={() => hold("pointer", false)}
      onFocusIn={() => hold("focus", true)}
      onFocusOut={({ currentTarget, relatedTarget }) =>
        hold("focus", relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
      }
    >
      {fresh > 0 && <Fresh count={fresh} onShow={showFresh} />}
      <Visible rows={rows} items={items} seen={seen} scroller={scroller} />
    </div>
  );
}

interface VisibleProps<Item> {
  readonly rows: TableRowsProps<Item>;
  readonly items: readonly Item[];
  readonly seen: Seen;
  readonly scroller: Scroller;
}

function Visible<Item>({ rows: { keyOf, children }, items, seen, scroller }: VisibleProps<Item>): JSX.Element {
  const from = Math.max(0, Math.floor(seen.top / seen.row) - OVERSCAN);
  const to = Math.min(items.length, Math.ceil((seen.top + seen.height) / seen.row) + OVERSCAN);
  const drawn = items.slice(from, to);
  const slots = useSlots(drawn.map(keyOf), scroller);
  return (
    <div role="presentation" style={{ height: `${items.length * seen.row}px` }}>
      <div role="presentation" style={{ transform: `translateY(${from * seen.row}px)` }}>
        {drawn.map((item, index) => (
          <div key={slots[index]} role="presentation" data-row={slots[index]}>
            {children(item, from + index)}
          </div>
        ))}
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

type Reason = "pointer" | "focus" | "scrolled";

interface Snapshot<Item> {
  readonly items: readonly Item[];
  readonly keys: ReadonlySet<Key>;
}

interface Frozen<Item> {
  /** The rows to show: those of the moment in which the list was frozen, or the latest. */
  readonly items: readonly Item[];
  /** How many rows came since. */
  readonly fresh: number;
  readonly hold: (reason: Reason, isOn: boolean) => void;
  /** Takes over the latest rows, and stays frozen with these if there is a reason. */
  readonly thaw: () => void;
}

function useFrozen<Item>(rows: TableRowsProps<Item>): Frozen<Item> {
  const { items, keyOf } = rows;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [{ reasons, frozen }] = useState(() => {
    const left = itemsLeft(rows);
    return {
      reasons: new Set<Reason>(left && ["scrolled"]),
      frozen: { snapshot: left && snapshotOf(left, keyOf) },
    };
  });
  const hold = (reason: Reason, isOn: boolean): void => {
    if (isOn === reasons.has(reason)) return;
    if (isOn) reasons.add(reason);
    else reasons.delete(reason);
    redraw(undefined);
  };
  const thaw = (): void => {
    frozen.snapshot = undefined;
    redraw(undefined);
  };
  frozen.snapshot = reasons.size === 0 ? undefined : (frozen.snapshot ?? snapshotOf(items, keyOf));
  const { snapshot } = frozen;
  if (snapshot === undefined) return { items, fresh: 0, hold, thaw };
  const known = items.findIndex((item) => snapshot.keys.has(keyOf(item)));
  return { items: snapshot.items, fresh: known < 0 ? items.length : known, hold, thaw };
}

function snapshotOf<Item>(items: readonly Item[], keyOf: (item: Item) => Key): Snapshot<Item> {
  return { items, keys: new Set(items.map(keyOf)) };
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

function useMemory<Item>(
  { label, list, keyOf }: TableRowsProps<Item>,
  shown: { readonly items: readonly Item[]; readonly top: number },
  scroller: Scroller,
): void {
  const latest = useRef(shown);
  latest.current = shown;
  useLayoutEffect(() => {
    if (list === undefined) return;
    const left = positions.get(label);
    if (left?.list === list) scroller.current?.scrollTo({ top: left.top });
    return () => {
      const [first] = latest.current.items;
      if (first !== undefined) positions.set(label, { list, first: keyOf(first), top: latest.current.top });
    };
  }, []);
}

/**
 * Gives each drawn row a slot, whose elements it keeps as long as it is drawn; another row takes them over afterwards. New elements for each
 * row would be garbage a moment later.
 */
function useSlots(keys: readonly Key[], scroller: Scroller): readonly number[] {
  const slots = useRef(new Map<Key, number>());
  const before = slots.current;
  // The focus would go to another row with the element.
  const focused = Number(document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? -1);
  const isHere = scroller.current?.contains(document.activeElement) ?? false;
  const drawn = new Set(keys);
  const free = [...before].flatMap(([key, slot]) => (drawn.has(key) || (isHere && slot === focused) ? [] : [slot]));
  let unused = Math.max(-1, ...before.values()) + 1;
  slots.current = new Map(keys.map((key) => [key, before.get(key) ?? free.pop() ?? unused++]));
  return [...slots.current.values()];
}

function useShow<Item>({ control, held }: TableRowsProps<Item>, shown: RowControl<Item>, rowHeight: number): void {
  if (control !== undefined) control.current = shown;
  useLayoutEffect(() => {
    const index = held?.() ?? -1;
    if (index >= 0) shown.show(index);
  }, [rowHeight]);
}

/** The visible part of a list and the height of a row, in pixels. */
interface Seen {
  readonly top: number;
  readonly height: number;
  readonly row: number;
}

function useSeen(scroller: Scroller, rowHeight: number, hasRows: boolean): [Seen, () => void] {
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 0, row: rowHeight });
  const look = useCallback((): void => {
    const { current } = scroller;
    if (current === null) return;
    const row = current.querySelector("[data-row]")?.getBoundingClientRect().height ?? rowHeight;
    current.parentElement?.style.setProperty("--scrollbar", `${current.offsetWidth - current.clientWidth}px`);
    const now = { top: current.scrollTop, height: current.clientHeight, row: row || rowHeight };
    setSeen((last) => (last.top === now.top && last.height === now.height && last.row === now.row ? last : now));
  }, []);
  useLayoutEffect(() => {
    look();
    // At another width, rows may have two lines.
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [hasRows]);
  return [seen, look];
}

/** Scrolls only as far as needed to show a range. */
function scrollTo(scroller: HTMLElement | null, top: number, bottom: number): void {
  if (scroller === null) return;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
}
