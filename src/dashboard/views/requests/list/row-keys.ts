import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useClosed } from "../../../parts/focus.ts";
import type { RowControl } from "../../../parts/table-rows.tsx";
import { replaceItem, currentRoute } from "../../../base/route.ts";
import { ROW_STEPS, useKeys } from "../../../base/keys.ts";
import type { Row } from "../../../live/sales.ts";
import type { Listed } from "./found.ts";

/** The request_id of the row that has, or last had, the keyboard focus. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
const wantedRow = signal<string | undefined>(undefined);

/** Returns the ref of the link of a row, which takes the focus if its row is the wanted one. */
export function useWantedFocus(requestId: string | undefined): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  const isWanted = requestId !== undefined && wantedRow.value === requestId;
  useLayoutEffect(() => {
    if (!isWanted) return;
    link.current?.focus({ preventScroll: true });
    wantedRow.value = undefined;
  }, [isWanted]);
  return link;
}

type Control = { readonly current: RowControl<Listed> | undefined };

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
  const { items } = control;
  const current = currentRoute.peek().item ?? currentRow.peek();
  const next = nextOf(items, placeOf(items, current), step);
  const line = items[next];
  if (line === undefined) return;
  const { requestId } = orderOf(line).request;
  control.show(next);
  currentRow.value = requestId;
  if (!isInInspector()) wantedRow.value = requestId;
  if (currentRoute.peek().item !== undefined) replaceItem(requestId);
}

/** Returns whether the keys lead to a line. A sale stands for the latest of its orders too. */
export function isStep(line: Listed): boolean {
  return !("under" in line) || (line.more === undefined && line.order.request !== line.under.request);
}

function orderOf(line: Listed): Row {
  return "under" in line ? line.order : line;
}

/** Returns the place of a request, or of the sale that hides it; -1 if it has none. */
function placeOf(items: readonly Listed[], requestId: string | undefined): number {
  const isIt = ({ request }: Row): boolean => request.requestId === requestId;
  const place = items.findIndex((line) => isStep(line) && isIt(orderOf(line)));
  return place < 0 ? items.findIndex((line) => !("under" in line) && line.sale.some(isIt)) : place;
}

function nextOf(items: readonly Listed[], index: number, step: number): number {
  if (index < 0) return 0;
  let next = index + step;
  for (let line = items[next]; line !== undefined && !isStep(line); line = items[next]) next += step;
  return items[next] === undefined ? index : next;
}

/** Returns the focus to a row, wherever it is by now. */
function returnTo(requestId: string, { current: control }: Control): void {
  const index = placeOf(control?.items ?? [], requestId);
  const line = control?.items[index];
  if (line === undefined) return;
  control?.show(index);
  currentRow.value = wantedRow.value = orderOf(line).request.requestId;
}
