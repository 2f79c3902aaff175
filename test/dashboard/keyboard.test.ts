import type { Page } from "@playwright/test";
import { test as plainTest } from "vitest";
import { startReceiver } from "./receiver.ts";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { expect } from "./visitor.ts";

/** In an order in which each of them goes somewhere else. */
const KEYS = [
  ["t", "Transactions"],
  ["b", "Callbacks"],
  ["w", "Wallet"],
  ["c", "Time"],
  ["s", "Scenarios"],
  ["f", "Findings"],
  ["a", "Account"],
  ["n", "Send"],
  ["p", "Phones"],
] as const;

/** One reader for all the ways that begin with g. */
const test = plainTest.extend<{ reader: DashboardSession }>({
  reader: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing
    async ({}, use) => {
      await using session = await openDashboard();
      await session.visit();
      await use(session);
    },
    { scope: "file" },
  ],
});

test("the first Tab stop skips to the panel", async () => {
  await using session = await openDashboard();
  await session.visit("wallet");
  const { page } = session;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the panel" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to the panel" })).toBeInViewport();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("main")).toBeFocused();
  await expect(page).toHaveURL(/#\/wallet$/);
  await expect(page.getByRole("heading", { level: 1, name: "Wallet" })).toBeVisible();
});

test.for(KEYS)("g and %s go to %s", async ([key, title], { reader }) => {
  const { page } = reader;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press(key);

  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Panels" }).locator("[aria-current=page]")).toHaveText(title);
});

test("a question mark lists the keys, Escape closes the list", async () => {
  await using session = await openDashboard();
  await session.visit();
  const { page } = session;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const keys = page.getByRole("dialog", { name: "Keys" });

  await page.keyboard.press("?");
  await expect(keys.getByRole("row", { name: "go to Wallet" })).toHaveText("g w go to Wallet");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await page.keyboard.press("?");

  await expect(keys).toBeVisible();
});

test("a whole job by keyboard: send, see it settle, open it, send its callback again, back to the rows", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ sms: receiver.url });
  await session.visit();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.type("gn");
  await expect(page.getByRole("heading", { level: 1, name: "Send" })).toBeVisible();
  await tabTo(page, "Message");
  await page.keyboard.type("Habari");
  await page.keyboard.press("Control+Enter");
  const inJournal = page.getByRole("list", { name: "In the journal" });
  await expect(inJournal).toContainText("Queued");
  await sandbox.clock.advance("10s");
  await expect(inJournal).toContainText("Succeeded");

  await page.keyboard.type("gt");
  // Keys are the field's while one writes there.
  await expect(page.getByRole("heading", { level: 1, name: "Send" })).toBeVisible();
  await tabTo(page, "Transaction");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "SMS to +254 712 345 678" }).getByText("Callback attempt 1")).toBeVisible();
  await tabTo(page, "Story");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Callbacks" })).toBeFocused();
  await tabTo(page, "Resend callback");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Callback attempt 2")).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByRole("link", { name: "Succeeded: SMS to +254 712 345 678" })).toBeFocused();
  expect(receiver.bodies).toEqual([receiver.bodies[0], receiver.bodies[0]]);
});

/** Presses Tab until that has the focus. */
async function tabTo(page: Page, name: string, presses = 40): Promise<void> {
  await page.keyboard.press("Tab");
  // What stands in a region that has the focus does not have it.
  const [focused = ""] = (await page.locator(":focus").ariaSnapshot()).split("\n");
  if (focused.includes(` "${name}"`)) return;
  if (presses === 0) throw new Error(`Tab never comes to "${name}"; the last was ${focused}`);
  await tabTo(page, name, presses - 1);
}
