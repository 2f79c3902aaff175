import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Returns the ref of an element that takes the focus as soon as it is drawn, if its key is the wanted one. */
export function useWantedFocus<Drawn extends HTMLElement>(
  wanted: Signal<string | undefined>,
  key: string,
): RefObject<Drawn | null> {
  const element = useRef<Drawn>(null);
  const isWanted = wanted.value === key;
  useLayoutEffect(() => {
    if (!isWanted) return;
    element.current?.focus({ preventScroll: true });
    wanted.value = undefined;
  }, [isWanted]);
  return element;
}

/** Calls back with the item that has been closed. An effect after the paint would undo what the user does as soon as it is closed. */
export function useClosed(opened: string | undefined, onClosed: (item: string) => void): void {
  const last = useRef(opened);
  useLayoutEffect(() => {
    const left = last.current;
    last.current = opened;
    if (left !== undefined && opened === undefined) onClosed(left);
  }, [opened]);
}
