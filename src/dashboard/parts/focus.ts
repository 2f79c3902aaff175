import { useLayoutEffect, useRef } from "preact/hooks";

/** Calls back with the item that has been closed. An effect after the paint would undo what the user does as soon as it is closed. */
export function useClosed(opened: string | undefined, onClosed: (item: string) => void): void {
  const last = useRef(opened);
  useLayoutEffect(() => {
    const left = last.current;
    last.current = opened;
    if (left !== undefined && opened === undefined) onClosed(left);
  }, [opened]);
}
