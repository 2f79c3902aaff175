import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ShareButton } from "./parts.tsx";
import { useKeys } from "../base/keys.ts";
import { useSignal } from "@preact/signals";

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
    <>
      <Resizer pane={pane} />
      <section ref={pane} class="inspector" aria-label={title} tabIndex={-1}>
        <header class="spread">
          <h2>{title}</h2>
          <span class="row">
            <ShareButton />
            <button type="button" class="button small" onClick={onClose} title="Esc">
              Close
            </button>
          </span>
        </header>
        {children}
      </section>
    </>
  );
}

const WIDTH = "kredo-inspector-width";
const LEAST = 320;
const WIDTH_STEPS: Readonly<Record<string, number>> = { ArrowLeft: 32, ArrowRight: -32 };

/** The line between list and item, moved by dragging or the arrow keys. The width is remembered. */
function Resizer({ pane }: { readonly pane: { readonly current: HTMLElement | null } }): JSX.Element {
  const width = useSignal(Number(localStorage.getItem(WIDTH) ?? 0));
  useLayoutEffect(() => {
    if (width.value > 0) pane.current?.style.setProperty("--inspector-width", `${width.value}px`);
  }, [width.value]);
  const set = (wanted: number): void => {
    width.value = Math.round(Math.min(Math.max(wanted, LEAST), innerWidth * 0.7));
    localStorage.setItem(WIDTH, String(width.value));
  };
  const current = (): number => pane.current?.offsetWidth ?? LEAST;
  return (
    <div
      class="inspector-resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuemin={LEAST}
      aria-valuemax={Math.round(innerWidth * 0.7)}
      aria-valuenow={width.value || current()}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = WIDTH_STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(current() + step);
      }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const { right } = pane.current?.getBoundingClientRect() ?? {};
        if (event.currentTarget.hasPointerCapture(event.pointerId) && right !== undefined) set(right - event.clientX);
      }}
    />
  );
}
