import { test } from "vitest";
import { shownBalance } from "./shown-balance.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("shows whose account it is, what it can spend and what its clock shows", async () => {
  await using session = await openDashboard();

  await session.visit();

  const top = session.page.getByRole("banner");
  await expect(top.getByLabel("Account")).toHaveValue("sandbox-key");
  await expect(shownBalance(session.page)).toHaveText("KES 10,000.00");
  await expect(top.getByTitle("Nairobi")).toHaveText("09:00:00 manual");
});

test("follows the money while requests come", async () => {
  await using session = await openDashboard();
  await session.visit();
  const balance = shownBalance(session.page);
  await expect(balance).toHaveText("KES 10,000.00");

  await sendAirtime(session.sandbox, "254712345678", "100");

  await expect(balance).toHaveText("KES 9,905.00");
});

test("switches to another account and keeps it in the address", async () => {
  await using session = await openDashboard();
  await session.sandbox.account({ consumer_key: "second-key", balance: "77" });
  await session.visit("wallet");

  await session.page.getByRole("banner").getByLabel("Account").selectOption("second-key");

  await expect(shownBalance(session.page)).toHaveText("KES 77.00");
  await expect(session.page).toHaveURL(/#\/wallet\?account=second-key$/);
});

test("shows the same money in two tabs", async () => {
  await using session = await openDashboard();
  const second = await session.context.newPage();
  await session.visit();
  await second.goto(session.page.url());

  await session.sandbox.wallet.topUp("500");

  await expect(shownBalance(session.page)).toHaveText("KES 10,500.00");
  await expect(shownBalance(second)).toHaveText("KES 10,500.00");
});

test("on a telephone, the navigation scrolls to the panel that is shown", async () => {
  await using session = await openDashboard({}, { viewport: { width: 360, height: 740 } });
  const shown = session.page.getByRole("navigation", { name: "Panels" }).locator("[aria-current=page]");
  await session.visit();
  await expect(shown).toHaveText("Transactions");
  await expect(shown).toBeInViewport({ ratio: 1 });

  await session.visit("send");

  await expect(shown).toHaveText("Send");
  await expect(shown).toBeInViewport({ ratio: 1 });
});
