import { test } from "vitest";
import { startReceiver } from "./receiver.ts";
import { openDashboard } from "./dashboard-session.ts";
import { expect } from "./visitor.ts";

test("a callback URL is saved, and a sample says what the receiver made of it", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page } = session;
  receiver.answerWith(419);
  await session.visit("account");

  await page.getByRole("textbox", { name: /^Airtime callback URL/ }).fill(receiver.url);
  await page.keyboard.press("Enter");

  const callbacks = page.getByRole("region", { name: "Callbacks" });
  await expect(callbacks.getByRole("status").filter({ hasText: "419" })).toContainText("SQLSTATE[HY000]: database is locked");
  expect(receiver.bodies).toHaveLength(1);
});

test("a fresh account is opened with credentials of its own, and dropped again", async () => {
  await using session = await openDashboard();
  const { page } = session;
  const shown = page.getByRole("banner").getByLabel("Account");
  await session.visit("account");
  await expect(shown).toHaveValue("sandbox-key");

  await page.getByRole("button", { name: "New account" }).click();
  await expect(shown).not.toHaveValue("sandbox-key");
  const key = await shown.inputValue();
  await expect(page.getByRole("region", { name: "Credentials" })).toContainText(key);
  await page.getByRole("button", { name: "Drop this one…" }).click();
  await page.getByRole("button", { name: `Drop ${key}` }).click();

  await expect(shown).toHaveValue("sandbox-key");
  await expect(shown.getByRole("option")).toHaveCount(1);
});
