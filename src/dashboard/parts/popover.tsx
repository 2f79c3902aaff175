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

/** A button with a popover below it, wholly on the screen, whose first control gets the focus. */
export function Popover({ id, label, shows, children, ...button }: PopoverProps): JSX.Element {
  const opener = useRef<HTMLButtonElement>(null);
  const place = ({ currentTarget: { style } }: { readonly currentTarget: HTMLElement }): void => {
    const { left, bottom } = opener.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
    style.setProperty("left", `max(1rem, min(${left}px, 100vw - 1rem - min(26rem, 100vw - 2rem)))`);
    style.setProperty("top", `${bottom + 4}px`);
    style.setProperty("max-height", `calc(100dvh - 1rem - ${bottom + 4}px)`);
  };
  return (
    <>
      <button {...button} ref={opener} type="button" class="button small" popovertarget={id} aria-haspopup="dialog">
        {shows}
      </button>
      <div
        id={id}
        popover="auto"
        class="stack"
        role="dialog"
        aria-label={label}
        onBeforeToggle={place}
        onToggle={({ currentTarget, newState }) => {
          if (newState === "open") currentTarget.querySelector<HTMLElement>("a, button, input, select")?.focus();
        }}
      >
        {children}
      </div>
    </>
  );
}

export function closePopover(id: string): void {
  document.getElementById(id)?.hidePopover();
}
