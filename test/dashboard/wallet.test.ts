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
