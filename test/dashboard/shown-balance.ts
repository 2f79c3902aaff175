import type { Locator, Page } from "@playwright/test";

/** Returns the available balance in the top bar. */
export function shownBalance(page: Page): Locator {
  return page.getByRole("banner").getByTitle("Available balance");
}
