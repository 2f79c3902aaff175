import type { Page } from "@playwright/test";

/** A place of the page as it is shown to those who have not started it yet. */
export interface Picture {
  /** Of the file. */
  readonly name: string;
  readonly place: string;
  /** What one opens there to see more of it; ends when that is drawn. */
  readonly open: (page: Page) => Promise<unknown>;
}

export const PICTURES: readonly Picture[] = [
  { name: "requests", place: "requests", open: (page) => page.getByText("no answer").first().waitFor() },
  { name: "request", place: "requests", open: openLostAnswer },
  {
    name: "failures",
    place: "failures",
    open: (page) =>
      page
        .getByRole("listitem")
        .filter({ hasText: /^refused-401 / })
        .waitFor(),
  },
  { name: "verdict", place: "verdict", open: (page) => page.getByText("How to fix it").first().waitFor() },
  { name: "account", place: "account", open: (page) => page.getByRole("heading", { name: "Sender IDs" }).waitFor() },
];

/** The failure that costs the most: the order was sold, and the backend does not know. */
async function openLostAnswer(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: /no answer/ })
    .first()
    .click();
  await page.getByRole("list", { name: "Timeline" }).waitFor();
}
