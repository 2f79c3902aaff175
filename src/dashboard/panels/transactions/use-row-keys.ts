import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Row } from "../../live/book.ts";
import { replaceItem, route } from "../../route.ts";
import { isTyping } from "../../shell/keys.tsx";
import { currentRow, wantedRow } from "./found.ts";

interface RowKeys {
  readonly rows: readonly Row[];
  /** Scrolls to a row. */
  readonly show: (index: number) => void;
  /** Told whether one has moved below the first row. */
  readonly read: (isFurtherDown: boolean) => void;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Arrow keys, j and k move from row to row, and so does what is open; a row is a link, which Enter opens. Who closes it is back at the row. */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // An effect after the paint would miss a key that is pressed as soon as the rows are seen.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      if (step === undefined || isElsewhere(event)) return;
      event.preventDefault();
      moveTo(indexAfter(step, latest.current.rows), latest.current);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  useReturn(latest);
}

function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return true;
  // There the arrow keys scroll.
  return document.querySelector("dialog[open]") !== null || (event.key.startsWith("Arrow") && isInInspector());
}

function isInInspector(): boolean {
  return document.activeElement?.closest(".inspector") !== null;
}

function indexAfter(step: number, rows: readonly Row[]): number {
  const current = route.peek().item ?? currentRow.peek();
  const index = rows.findIndex(({ request }) => request.requestId === current);
  return index < 0 ? 0 : Math.min(Math.max(index + step, 0), rows.length - 1);
}

function moveTo(index: number, { rows, show, read }: RowKeys): void {
  const row = rows[index];
  if (row === undefined) return;
  read(index > 0);
  show(index);
  const { requestId } = row.request;
  currentRow.value = requestId;
  if (!isInInspector()) wantedRow.value = requestId;
  if (route.peek().item !== undefined) replaceItem(requestId);
}

/** When what was open is closed, the focus goes back to its row, wherever that is by now. */
function useReturn(latest: { readonly current: RowKeys }): void {
  const { item } = route.value;
  const opened = useRef(item);
  useEffect(() => {
    const left = opened.current;
    opened.current = item;
    if (left === undefined || item !== undefined) return;
    const index = latest.current.rows.findIndex(({ request }) => request.requestId === left);
    if (index < 0) return;
    latest.current.show(index);
    currentRow.value = left;
    wantedRow.value = left;
  }, [item, latest]);
}
