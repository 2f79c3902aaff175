import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren, JSX } from "preact";
import { useCallback, useLayoutEffect, useReducer, useRef } from "preact/hooks";

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** In pixels, until a row has been measured. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item, index: number) => string | number;
  readonly children: (item: Item, index: number) => ComponentChildren;
  readonly label: string;
  readonly class?: string;
  /** Called with the scroll offset in pixels. */
  readonly onScrolled?: (offset: number) => void;
  /** Receives the function that scrolls a row into view. */
  readonly control?: { current: VirtualListControl | undefined };
  /**
   * Makes the list start at its end and stay there as rows are added, unless the user has scrolled away. Called with whether the end is
   * visible.
   */
  readonly onEnd?: (isAtEnd: boolean) => void;
}

export interface VirtualListControl {
  readonly show: (index: number) => void;
  readonly showEnd: () => void;
}

/** The distance in pixels that still counts as the end. */
const END = 48;

/** Draws only the visible rows, so 10,000 rows scroll as fast as ten. */
export function VirtualList<Item>(list: VirtualListProps<Item>): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const { items, rowHeight, keyOf, label, class: className = "", control } = list;
  const virtualizer = useVirtualizer({ items, rowHeight, keyOf, scroller, isFromEnd: list.onEnd !== undefined });
  const isAtEnd = useEnd(virtualizer, list.onEnd !== undefined);
  if (control !== undefined)
    control.current = { show: (index) => virtualizer.scrollToIndex(index), showEnd: () => virtualizer.scrollToEnd() };
  return (
    <div
      ref={scroller}
      class={`virtual ${className}`}
      role="list"
      aria-label={label}
      // A scrollable region must be reachable by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        isAtEnd.current = tellScrolled(list, currentTarget);
      }}
    >
      <div role="presentation" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={items.length}
            class="virtual-row"
            style={{ position: "absolute", insetBlockStart: 0, insetInline: 0, transform: `translateY(${start}px)` }}
          >
            {childOf(list, index)}
          </div>
        ))}
      </div>
    </div>
  );
}

type ScrollCallbacks<Item> = Pick<VirtualListProps<Item>, "onScrolled" | "onEnd">;

/** Returns whether the end is visible. */
function tellScrolled<Item>(
  { onScrolled, onEnd }: ScrollCallbacks<Item>,
  { scrollHeight, scrollTop, clientHeight }: HTMLElement,
): boolean {
  const isAtEnd = scrollHeight - scrollTop - clientHeight <= END;
  onScrolled?.(scrollTop);
  onEnd?.(isAtEnd);
  return isAtEnd;
}

function childOf<Item>(
  { items, children }: Pick<VirtualListProps<Item>, "items" | "children">,
  index: number,
): ComponentChildren {
  const item = items[index];
  return item === undefined ? null : children(item, index);
}

interface Rows<Item> extends Pick<VirtualListProps<Item>, "items" | "rowHeight" | "keyOf"> {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly isFromEnd: boolean;
}

function useVirtualizer<Item>({
  items,
  rowHeight,
  keyOf,
  scroller,
  isFromEnd,
}: Rows<Item>): Virtualizer<HTMLDivElement, HTMLDivElement> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const kept = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | undefined>(undefined);
  const options = {
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // The library measures all rows again if it gets another function, so this one changes only with its inputs.
    getItemKey: useCallback(
      (index: number) => {
        const item = items[index];
        return item === undefined ? index : keyOf(item, index);
      },
      [items],
    ),
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: redraw,
    ...(isFromEnd && { anchorTo: "end" as const }),
  };
  kept.current ??= new Virtualizer(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  // The library's adapters for other frameworks call these two as well.
  // oxlint-disable-next-line no-underscore-dangle -- the library's own names
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  // oxlint-disable-next-line no-underscore-dangle -- the library's own names
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

/** Keeps a list at its end as it grows or its rows are reordered, until the user scrolls away. The library follows only appended rows. */
function useEnd(virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>, isFromEnd: boolean): { current: boolean } {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isFromEnd && isAtEnd.current) virtualizer.scrollToEnd();
  }, [virtualizer.getTotalSize()]);
  return isAtEnd;
}
