import type { ComponentChildren, JSX } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Scrolls a row into view. */
export interface RowControl {
  readonly show: (index: number) => void;
}

interface TableRowsProps<Item> {
  readonly items: readonly Item[];
  /** In pixels, until a row has been measured. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string | number;
  readonly children: (item: Item, index: number) => ComponentChildren;
  readonly label: string;
  /** Called with the scroll offset in pixels. */
  readonly onScrolled?: (offset: number) => void;
  /** Receives the function that scrolls a row into view. */
  readonly control?: { current: RowControl | undefined };
  /** Returns the index of the row that stays in view when the row height changes; -1 for none. */
  readonly held?: () => number;
}

/** Rows drawn above and below the visible ones. */
const OVERSCAN = 4;

/**
 * The body of a table whose rows all have the height that CSS sets. Measures one row and computes the position of the others, so a redraw
 * costs only as much as the visible rows.
 */
export function TableRows<Item>(rows: TableRowsProps<Item>): JSX.Element {
  const { items, rowHeight, keyOf, children, label, onScrolled } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, look] = useSeen(scroller, rowHeight, items.length > 0);
  const from = Math.max(0, Math.floor(seen.top / seen.row) - OVERSCAN);
  const to = Math.min(items.length, Math.ceil((seen.top + seen.height) / seen.row) + OVERSCAN);
  useShow(rows, (index) => scrollTo(scroller.current, index * seen.row, (index + 1) * seen.row), seen.row);
  return (
    <div
      ref={scroller}
      class="virtual"
      role="rowgroup"
      aria-label={label}
      // A scrollable region must be reachable by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        look();
        onScrolled?.(currentTarget.scrollTop);
      }}
    >
      <div role="presentation" style={{ height: `${items.length * seen.row}px` }}>
        <div role="presentation" style={{ transform: `translateY(${from * seen.row}px)` }}>
          {items.slice(from, to).map((item, index) => (
            <div key={keyOf(item)} role="presentation" data-row>
              {children(item, from + index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

type Shown = Pick<TableRowsProps<never>, "control" | "held">;

function useShow({ control, held }: Shown, show: RowControl["show"], rowHeight: number): void {
  if (control !== undefined) control.current = { show };
  useLayoutEffect(() => {
    const index = held?.() ?? -1;
    if (index >= 0) show(index);
  }, [rowHeight]);
}

/** The visible part of a list and the height of a row, in pixels. */
interface Seen {
  readonly top: number;
  readonly height: number;
  readonly row: number;
}

function useSeen(
  scroller: { readonly current: HTMLElement | null },
  rowHeight: number,
  hasRows: boolean,
): [Seen, () => void] {
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
