import type { Page } from "@playwright/test";

/** Whether the page is longer than the screen, and what reaches over its right edge and cannot be scrolled to by itself, each in a line. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector("#main");
    const holds = (element: Element | null): boolean => {
      if (element === null || element === main) return false;
      return getComputedStyle(element).overflowX !== "visible" || holds(element.parentElement);
    };
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !holds(element.parentElement),
    );
    const isWide = [document.documentElement, main].some(
      (element) => element !== null && element.scrollWidth > element.clientWidth,
    );
    const inspected = document.querySelector(".inspector-view");
    const isClipped = inspected !== null && inspected.scrollWidth > inspected.clientWidth;
    const isLong = document.documentElement.scrollHeight > innerHeight;
    return [
      ...(isWide ? ["the page scrolls sideways"] : []),
      ...(isClipped ? ["the inspector scrolls sideways"] : []),
      ...(isLong ? ["the page is longer than the screen"] : []),
      ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120)),
    ];
  });
}
