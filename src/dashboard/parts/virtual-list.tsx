import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

export interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** In pixels, before a row has been measured. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item, index: number) => string | number;
  readonly children: (item: Item, index: number) => ComponentChildren;
  readonly label: string;
  readonly class?: string;
}

/** Draws only the rows that are seen: 10,000 scroll as ten do. */
export function VirtualList<Item>({
  items,
  rowHeight,
  keyOf,
  children,
  label,
  class: className = "",
}: VirtualListProps<Item>): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ items, rowHeight, keyOf, scroller });
  return (
    // It takes the focus because a region that scrolls is reached by keyboard.
    <div ref={scroller} class={`virtual ${className}`} role="list" aria-label={label} tabIndex={0}>
      <div role="presentation" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <div
              key={key}
              data-index={index}
              ref={(row: HTMLDivElement | null) => virtualizer.measureElement(row)}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={items.length}
              class="virtual-row"
              style={{ position: "absolute", insetBlockStart: 0, insetInline: 0, transform: `translateY(${start}px)` }}
            >
              {children(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface Rows<Item> extends Pick<VirtualListProps<Item>, "items" | "rowHeight" | "keyOf"> {
  readonly scroller: { readonly current: HTMLDivElement | null };
}

function useVirtualizer<Item>({ items, rowHeight, keyOf, scroller }: Rows<Item>): Virtualizer<HTMLDivElement, HTMLDivElement> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const kept = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | undefined>(undefined);
  const options = {
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: redraw,
  };
  kept.current ??= new Virtualizer(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  // The library's adapters for other frameworks call the same two.
  // oxlint-disable-next-line no-underscore-dangle -- the library's own names
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  // oxlint-disable-next-line no-underscore-dangle -- the library's own names
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
