import { test } from "vitest";
import { paste } from "./shell-commands.ts";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { expect } from "./visitor.ts";

test("a new user pastes the command from the empty phones, and the phone is there", async () => {
  await using session = await openDashboard();

  const printed = await pasteShown(session, "phones");

  expect(printed).toContain('"status_code":200');
  await expect(session.page.getByRole("list", { name: "Phones, newest first" }).getByRole("link")).toHaveAccessibleName(
    /\+254 712 345 678/,
  );
});

test("the command of the empty table makes the first row", async () => {
  await using session = await openDashboard();

  const printed = await pasteShown(session, "transactions");

  expect(printed).toContain('"status_code":200');
  await expect(session.page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeVisible();
});

test("the command of the wallet begins its curve", async () => {
  await using session = await openDashboard();

  await pasteShown(session, "wallet");

  await expect(session.page.getByRole("slider", { name: "Available balance over time" })).toBeVisible();
});

test("the command of the time gives the clock something to wait for", async () => {
  await using session = await openDashboard();

  await pasteShown(session, "time");

  await expect(session.page.getByRole("table", { name: "Pending, soonest first" }).getByRole("row")).toHaveCount(2);
});

test("the command of the scenarios begins one", async () => {
  await using session = await openDashboard();

  await pasteShown(session, "scenarios");

  await expect(session.page.getByRole("article", { name: "callback-never" })).toBeVisible();
});

test("the command of the findings makes one", async () => {
  await using session = await openDashboard();

  await pasteShown(session, "findings");

  await expect(session.page.getByRole("list", { name: /^Seen: / }).first()).toBeVisible();
});

async function pasteShown(session: DashboardSession, panel: string): Promise<string> {
  await session.visit(panel);
  return paste(await session.page.getByRole("main").locator("pre").first().innerText());
}
