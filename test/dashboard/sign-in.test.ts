import { test } from "vitest";
import { shownBalance } from "./shown-balance.ts";
import { openDashboard } from "./dashboard-session.ts";
import { expect } from "./visitor.ts";

test("asks for the admin token, refuses a wrong one, and keeps the right one for the life of the tab", async () => {
  await using session = await openDashboard({ admin: { token: "the-right-one" } });
  session.expectBreach(/status of 401/);
  const { page } = session;

  await session.visit("account");
  await expect(page.getByLabel("Admin token")).toBeFocused();
  await page.getByLabel("Admin token").fill("another one");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Wrong token.");
  await page.getByLabel("Admin token").fill("the-right-one");
  await page.keyboard.press("Enter");

  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
  await page.reload();
  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
});
