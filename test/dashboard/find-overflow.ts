import type { Page } from "@playwright/test";

/** What reaches over the right edge of the screen and cannot be scrolled to by itself, each in a line. */
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
    const isWide = [document.documentElement, main].some((element) => element !== null && element.scrollWidth > element.clientWidth);
    return [...(isWide ? ["the page scrolls sideways"] : []), ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))];
  });
}
