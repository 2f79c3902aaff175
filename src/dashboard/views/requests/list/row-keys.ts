import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Row } from "../../../live/sales.ts";
import { useClosed } from "../../../parts/focus.ts";
import type { RowControl } from "../../../parts/table-rows.tsx";
import { replaceItem, currentRoute } from "../../../base/route.ts";
import { ROW_STEPS, useKeys } from "../../../base/keys.ts";

/** The request_id of the row that has, or last had, the keyboard focus. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
const wantedRow = signal<string | undefined>(undefined);

/** Returns the ref of the link of a row, which takes the focus if its row is the wanted one. */
export function useWantedFocus(requestId: string): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  const isWanted = wantedRow.value === requestId;
  useLayoutEffect(() => {
    if (!isWanted) return;
    link.current?.focus({ preventScroll: true });
    wantedRow.value = undefined;
  }, [isWanted]);
  return link;
}

type Control = { readonly current: RowControl<Row> | undefined };

/**
 * Arrow keys, j and k move between rows, and an open request follows. Enter opens a row, which is a link. Closing returns the focus to the
 * row.
 */
export function useRowKeys(control: Control): void {
  useKeys((event) => {
    const step = ROW_STEPS[event.key];
    if (step === undefined || isElsewhere(event)) return;
    event.preventDefault();
    moveBy(step, control);
  });
  useClosed(currentRoute.value.item, (item) => returnTo(item, control));
}

function isElsewhere(event: KeyboardEvent): boolean {
  // Arrow keys scroll in the inspector.
  return event.ctrlKey || event.metaKey || event.altKey || (event.key.startsWith("Arrow") && isInInspector());
}

function isInInspector(): boolean {
  return document.activeElement?.closest(".inspector") !== null;
}

function moveBy(step: number, { current: control }: Control): void {
  if (control === undefined) return;
  const current = currentRoute.peek().item ?? currentRow.peek();
  const index = control.items.findIndex(({ request }) => request.requestId === current);
  const next = index < 0 ? 0 : nextOf(control.items, index, step);
  const requestId = control.items[next]?.request.requestId;
  if (requestId === undefined) return;
  control.show(next);
  currentRow.value = requestId;
  if (!isInInspector()) wantedRow.value = requestId;
  if (currentRoute.peek().item !== undefined) replaceItem(requestId);
}

/** A sale and the latest of its requests under it are one step. */
function nextOf(items: readonly Row[], index: number, step: number): number {
  const isHere = items[index + step]?.request === items[index]?.request;
  return Math.min(Math.max(index + (isHere ? 2 * step : step), 0), items.length - 1);
}

/** Returns the focus to a row, wherever it is by now. */
function returnTo(requestId: string, { current: control }: Control): void {
  const index = control?.items.findIndex(({ request }) => request.requestId === requestId) ?? -1;
  if (index < 0) return;
  control?.show(index);
  currentRow.value = requestId;
  wantedRow.value = requestId;
}
