import type { Page } from "@playwright/test";

/** A place of the page as it is shown to those who have not started it yet. */
export interface Picture {
  /** Of the file. */
  readonly name: string;
  readonly place: string;
  /** What one opens or does there to see more of it; ends when that is drawn. */
  readonly open: (page: Page) => Promise<unknown>;
}

/** The clock's comes last, because it lets things happen. */
export const PICTURES: readonly Picture[] = [
  { name: "phones", place: "phones/254712345678", open: (page) => page.getByText("Habari Wanjiku!").waitFor() },
  {
    name: "transactions",
    place: "transactions",
    open: (page) => page.getByRole("link", { name: /^Refused 402/ }).waitFor(),
  },
  { name: "transaction", place: "transactions", open: openNewestFailed },
  { name: "wallet", place: "wallet", open: (page) => page.getByRole("slider").waitFor() },
  {
    name: "scenarios",
    place: "scenarios",
    open: (page) =>
      page
        .getByRole("link", { name: /^fired/ })
        .first()
        .waitFor(),
  },
  { name: "findings", place: "findings", open: (page) => page.getByText("Why it matters").first().waitFor() },
  { name: "account", place: "account", open: (page) => page.getByRole("heading", { name: "Sender IDs" }).waitFor() },
  { name: "send", place: "send", open: writeMessage },
  { name: "time", place: "time", open: advance },
];

async function openNewestFailed(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: /^Failed 403/ })
    .first()
    .click();
  await page.getByRole("table", { name: "Waterfall" }).waitFor();
  await page.getByText("Callback attempt 1").waitFor();
}

async function writeMessage(page: Page): Promise<void> {
  await page
    .getByLabel("Message")
    .fill("Oda yako #1044 iko njiani 🚚 Dereva wako ni Juma, atafika saa kumi na nusu jioni. Asante kwa kununua nasi!");
  await page.getByText("Outside the GSM alphabet").waitFor();
}

async function advance(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Advance by 10s" }).click();
  await page.getByRole("list", { name: "Callbacks in order" }).waitFor();
}
