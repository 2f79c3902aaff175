import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";

const WIDTH = "kredo-inspector-width";
const LEAST = 320;
const WIDTH_STEPS: Readonly<Record<string, number>> = { ArrowLeft: 32, ArrowRight: -32 };

/** The line between rows and inspector: dragged, or moved by the arrow keys. The width stays for the next visit. */
export function Resizer({ pane }: { readonly pane: { readonly current: HTMLElement | null } }): JSX.Element {
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
