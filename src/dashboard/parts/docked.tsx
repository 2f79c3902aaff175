import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useKeys } from "../base/keys.ts";

interface DockedProps {
  readonly title: string;
  /** Beside the button that closes it. */
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Shows an item beside its list, which stays live. Escape and the button close it. On a narrow page it replaces the list. */
export function Docked({ title, actions, onClose, children }: DockedProps): JSX.Element {
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => pane.current?.focus({ preventScroll: true }), []);
  useKeys(({ key }) => {
    if (key === "Escape" && document.querySelector(":popover-open") === null) onClose();
  });
  return (
    <section ref={pane} class="inspector" aria-label={title} tabIndex={-1}>
      <header class="spread">
        <h2>{title}</h2>
        <div class="row">
          {actions}
          <button type="button" class="button small" onClick={onClose} title="Esc">
            Close
          </button>
        </div>
      </header>
      {children}
    </section>
  );
}
