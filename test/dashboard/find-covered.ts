import type { Locator } from "@playwright/test";

/** The controls of which this covers a part that is not scrolled out of sight, each in a line. */
export function findCovered(cover: Locator): Promise<string[]> {
  return cover.evaluate((cover) => {
    const cutOff = (element: Element): readonly Element[] => {
      const { parentElement: around } = element;
      if (around === null) return [];
      return getComputedStyle(around).overflowY === "visible" ? cutOff(around) : [around, ...cutOff(around)];
    };
    const isUnder = (element: Element): boolean => {
      const boxes = [element, ...cutOff(element), cover].map((one) => one.getBoundingClientRect());
      const width = Math.min(...boxes.map(({ right }) => right)) - Math.max(...boxes.map(({ left }) => left));
      const height = Math.min(...boxes.map(({ bottom }) => bottom)) - Math.max(...boxes.map(({ top }) => top));
      return width > 0.5 && height > 0.5;
    };
    return [...document.querySelectorAll("a, button, input, select, textarea")]
      .filter((element) => !cover.contains(element) && isUnder(element))
      .map(({ outerHTML }) => outerHTML.slice(0, 120));
  });
}
