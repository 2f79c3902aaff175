import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";

type PopoverProps = Pick<JSX.IntrinsicElements["button"], "title" | "aria-label" | "aria-keyshortcuts"> & {
  readonly id: string;
  /** The accessible name. */
  readonly label: string;
  /** What the button shows. */
  readonly shows: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The narrowest distance from the edges of the page, and the widest popover, in pixels. */
const EDGE = 16;
const WIDEST = 416;

/** A button with a popover below it. */
export function Popover({ id, label, shows, children, ...button }: PopoverProps): JSX.Element {
  const opener = useRef<HTMLButtonElement>(null);
  const place = ({ currentTarget: { style } }: { readonly currentTarget: HTMLElement }): void => {
    const { left, bottom } = opener.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
    const width = Math.min(WIDEST, innerWidth - 2 * EDGE);
    style.setProperty("left", `${Math.max(EDGE, Math.min(left, innerWidth - EDGE - width))}px`);
    style.setProperty("top", `${bottom + EDGE / 4}px`);
  };
  return (
    <>
      <button {...button} ref={opener} type="button" class="button small" popovertarget={id} aria-haspopup="dialog">
        {shows}
      </button>
      <div id={id} popover="auto" class="stack" role="dialog" aria-label={label} onBeforeToggle={place}>
        {children}
      </div>
    </>
  );
}
