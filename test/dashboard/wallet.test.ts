import { text } from "node:stream/consumers";
import { test } from "vitest";
import { shownBalance } from "./shown-balance.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("a wallet runs dry: orders are refused with 402, and the curve comes down to what is left", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "100" }] });
  const { page, sandbox } = session;
  await session.visit("transactions");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await sendAirtime(sandbox, "254712345678", "60");
  await sendAirtime(sandbox, "254712345678", "60");
  await sendAirtime(sandbox, "254733456789", "60");

  await expect(page.getByRole("link", { name: /^Refused 402: Airtime/ })).toHaveCount(2);
  await page.getByRole("link", { name: "Wallet" }).click();
  const curve = page.getByRole("slider", { name: "Available balance over time" });
  await expect(curve).toHaveAttribute("aria-valuetext", /^KES 43\.00 from Mon 6 Jan 2025 09:00:00/);
  await expect(page.getByRole("table", { name: "Ledger, newest first" }).getByRole("row").nth(1)).toContainText("Hold");
});

test("the curve is walked along by keyboard", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("wallet");
  const curve = session.page.getByRole("slider", { name: "Available balance over time" });

  await curve.focus();
  await session.page.keyboard.press("ArrowLeft");

  await expect(curve).toHaveAttribute("aria-valuetext", /^KES 10,000\.00/);
  await session.page.keyboard.press("ArrowLeft");
  await expect(curve).toHaveAttribute("aria-valuenow", "1");
  await session.page.keyboard.press("End");
  await expect(curve).toHaveAttribute("aria-valuetext", /^KES 9,905\.00/);
  await session.page.keyboard.press("PageUp");
  await expect(curve).toHaveAttribute("aria-valuenow", "2");
  await session.page.keyboard.press("Home");
  await expect(curve).toHaveAttribute("aria-valuenow", "1");
});

test("topping up by form is an entry in the ledger", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("wallet");

  await page.getByLabel("Amount, KES").fill("1,500");
  await page.getByRole("button", { name: "Top up", exact: true }).click();

  await expect(shownBalance(page)).toHaveText("KES 11,500.00");
  await expect(page.getByRole("table", { name: "Ledger, newest first" }).getByRole("row").nth(1)).toContainText(
    /Top-up.*\+1,500\.00.*11,500\.00/s,
  );
});

test("an amount that the API refuses is explained in its own words and changes nothing", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 422/);
  const { page } = session;
  await session.visit("wallet");

  await page.getByLabel("Available, KES").fill("plenty");
  await page.getByRole("button", { name: "Set", exact: true }).click();

  await expect(page.getByRole("alert").filter({ hasText: 'balance: "plenty"' })).toBeVisible();
  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
});

test("the ledger comes as a file", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("wallet");

  const waiting = session.page.waitForEvent("download");
  await session.page.getByRole("button", { name: "Download CSV" }).click();
  const download = await waiting;

  expect(download.suggestedFilename()).toBe("ledger-sandbox-key.csv");
  expect((await text(await download.createReadStream())).trim().split("\n")).toHaveLength(3);
});
