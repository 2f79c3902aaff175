import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { goTo, VIEWS } from "./route.ts";

/** Whether the list of shortcuts is shown. */
export const areKeysShown = signal(false);

/** Keys that press the button which has them as its `aria-keyshortcuts`, if there is one. */
export const ACTIONS: Readonly<Record<string, string>> = {
  s: "send an order",
  f: "fail the next request",
  a: "advance the clock until nothing is pending",
  r: "resend the callback of the open request",
};

let hasPressedG = false;

/** `/` searches, `?` lists the shortcuts, `g` and a letter open a view. Ignored while the user types. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const wasG = hasPressedG;
    hasPressedG = event.key === "g";
    if (press(event.key, wasG)) event.preventDefault();
  });
}

function press(key: string, wasG: boolean): boolean {
  const view = wasG ? VIEWS.find((view) => view.key === key) : undefined;
  if (view !== undefined) goTo({ view: view.name });
  else if (key === "?") areKeysShown.value = true;
  else if (key === "/") return focusSearch();
  else if (key in ACTIONS && document.querySelector("dialog[open]") === null) return pressButton(key);
  else return false;
  return true;
}

function pressButton(key: string): boolean {
  const button = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`);
  button?.click();
  return button !== null;
}

/**
 * Calls back with keys pressed anywhere, unless the user types or a dialog or popover is open. An effect after the paint would miss a key pressed as soon
 * as the component appears.
 */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!isTyping(event.target) && document.querySelector("dialog[open], :popover-open") === null)
        latest.current(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** Keys that move between rows, with the number of rows down. */
export const ROW_STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Focuses the view's search field, which is marked with `data-search`. Returns whether there is one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("input[data-search]");
  field?.focus();
  field?.select();
  return field !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select") !== null)
  );
}
