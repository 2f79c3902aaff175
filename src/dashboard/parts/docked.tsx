import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useKeys } from "../base/keys.ts";

interface DockedProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Shows an item beside its list, which stays live. Escape and the button close it. On a narrow page it replaces the list. */
export function Docked({ title, onClose, children }: DockedProps): JSX.Element {
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => pane.current?.focus({ preventScroll: true }), []);
  useKeys(({ key }) => {
    if (key === "Escape") onClose();
  });
  return (
    <section ref={pane} class="inspector" aria-label={title} tabIndex={-1}>
      <header class="spread">
        <h2>{title}</h2>
        <button type="button" class="button small" onClick={onClose} title="Esc">
          Close
        </button>
      </header>
      {children}
    </section>
  );
}
