import { test } from "vitest";
import { shownBalance } from "./shown-balance.ts";
import { openDashboard } from "./dashboard-session.ts";
import { expect } from "./visitor.ts";

test("asks for the admin token, refuses another one and lets the right one in for as long as the tab lives", async () => {
  await using session = await openDashboard({ admin: { token: "the-right-one" } });
  session.expectBreach(/status of 401/);
  const { page } = session;

  await session.visit("wallet");
  await page.getByLabel("Admin token").fill("another one");
  await page.getByRole("button", { name: "Go in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Wrong token.");
  await page.getByLabel("Admin token").fill("the-right-one");
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: "Wallet" })).toBeVisible();
  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
  await page.reload();
  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
});
