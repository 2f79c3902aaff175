import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isTyping } from "../shell/keys.tsx";
import { Resizer } from "./resizer.tsx";

interface DockedProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What is open of a list, beside it: the list goes on. Escape and the button close it; on a narrow page it takes the list's place. */
export function Docked({ title, onClose, children }: DockedProps): JSX.Element {
  const pane = useRef<HTMLElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  useLayoutEffect(() => pane.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isTyping(event.target) && document.querySelector("dialog[open]") === null) latest.current();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Resizer pane={pane} />
      <section ref={pane} class="inspector" aria-label={title} tabIndex={-1}>
        <header class="spread">
          <h2>{title}</h2>
          <button type="button" class="button small" onClick={onClose} title="Esc">
            Close
          </button>
        </header>
        {children}
      </section>
    </>
  );
}
