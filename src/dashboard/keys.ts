import { signal } from "@preact/signals";
import { goTo, PANELS } from "./route.ts";

/** Whether the list of keys is shown. */
export const areKeysShown = signal(false);

let hasPressedG = false;

/** `/` searches, `?` lists the keys, `g` and a letter go to a panel. Not while one types. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const wasG = hasPressedG;
    hasPressedG = event.key === "g";
    if (press(event.key, wasG)) event.preventDefault();
  });
}

function press(key: string, wasG: boolean): boolean {
  const panel = wasG ? PANELS.find((panel) => panel.key === key) : undefined;
  if (panel !== undefined) goTo({ panel: panel.name });
  else if (key === "?") areKeysShown.value = true;
  else if (key === "/") return focusSearch();
  else return false;
  return true;
}

/** Each panel that can be searched marks its field. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("input[data-search]");
  field?.focus();
  field?.select();
  return field !== null;
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, [data-editor]") !== null);
}
