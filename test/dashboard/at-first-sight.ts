import type { Page } from "@playwright/test";

interface FirstSight {
  /** Where to go, such as "transactions". */
  readonly place: string;
  /** What has to be drawn there. */
  readonly sight: string;
  /** Keys to press then, wherever the focus is. */
  readonly keys?: readonly string[];
  /** What to type over what stands in the field that came into sight. */
  readonly text?: string;
}

/** Acts as soon as something is in the document: before it is painted, and before effects that wait for the paint. */
export function atFirstSight(page: Page, what: FirstSight): Promise<void> {
  return page.evaluate(
    ({ place, sight, keys = [], text }) =>
      new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          const seen = document.querySelector(sight);
          if (seen === null) return;
          observer.disconnect();
          if (text !== undefined && seen instanceof HTMLInputElement) {
            seen.value = text;
            seen.dispatchEvent(new InputEvent("input", { bubbles: true }));
          }
          for (const key of keys)
            (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          resolve();
        }).observe(document.body, { childList: true, subtree: true });
        location.hash = `#/${place}`;
      }),
    what,
  );
}
