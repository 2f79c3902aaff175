import type { Locator, Page } from "@playwright/test";

/** What can be spent, where it is always seen. */
export function shownBalance(page: Page): Locator {
  return page.getByRole("banner").getByTitle("What can be spent");
}
