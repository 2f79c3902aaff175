import type { Page } from "@playwright/test";

interface FirstSight {
  /** Where to go first, such as "transactions". */
  readonly place?: string;
  /** What has to be in the document. */
  readonly sight: string;
  /** Whether to focus it. */
  readonly focus?: boolean;
  /** What to type over what stands in it. */
  readonly text?: string;
  /** Keys to press at the end, wherever the focus is by then. */
  readonly keys?: readonly string[];
}

/**
 * Acts as soon as something is in the document: before it is painted, and before any effect that waits for the paint. Resolves after all of
 * these.
 */
export function atFirstSight(page: Page, what: FirstSight): Promise<void> {
  return page.evaluate(async ({ place, sight, focus, text, keys = [] }) => {
    if (place !== undefined) location.hash = `#/${place}`;
    const seen = await new Promise<HTMLElement>((resolve) => {
      const look = (_: unknown, observer?: MutationObserver): void => {
        const element = document.querySelector<HTMLElement>(sight);
        if (element === null) return;
        observer?.disconnect();
        resolve(element);
      };
      if (place === undefined) look(undefined);
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    if (focus === true) seen.focus();
    // Between two acts of a user, a browser runs what the page has promised meanwhile.
    await Promise.resolve();
    if (text !== undefined && seen instanceof HTMLInputElement) {
      seen.value = text;
      seen.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    for (const key of keys) {
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await Promise.resolve();
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, what);
}
