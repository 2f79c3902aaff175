import { test } from "vitest";
import { atFirstSight } from "./at-first-sight.ts";
import { openDashboard } from "./dashboard-session.ts";
import { expect } from "./visitor.ts";

test("encoding, parts and price follow what is written", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("send");
  const message = page.getByLabel("Message");
  const price = page.getByRole("region", { name: "Price" });

  await message.fill("Habari");
  await expect(price).toContainText(/GSM-7.*Parts1.*KES 0\.80/s);
  await message.pressSequentially(" 🚚");
  await expect(price).toContainText(/UCS-2.*Parts1.*KES 0\.80.*U\+1F69A/s);
  await message.fill("x".repeat(161));

  await expect(price).toContainText(/GSM-7.*Characters161.*Parts2.*KES 1\.60/s);
});

test("a magic number is chosen by its button, and its refusal is shown byte for byte", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 402/);
  const { page } = session;
  await session.visit("send");

  await page.getByRole("radio", { name: "Airtime" }).check();
  await page.getByRole("button", { name: "254700000402", exact: true }).click();
  await page.getByRole("button", { name: "Send airtime" }).click();

  const answer = page.getByRole("region", { name: "Response" });
  await expect(answer.getByRole("status")).toContainText("402");
  await expect(answer).toContainText('{"status_code":402,');
  await expect(answer.getByRole("list", { name: "In the journal" })).toContainText("Refused 402");
});

test("what is typed in the moment in which the form appears stays", async () => {
  await using session = await openDashboard();
  await session.visit("wallet");
  await expect(session.page.getByRole("heading", { level: 1 })).toBeVisible();

  const place = "send?operation=sms&phone_number=254733456789&message=Jambo";
  await atFirstSight(session.page, { place, sight: "[name=phone_number]", text: "254700000402" });

  await expect(session.page.getByLabel("Phone number")).toHaveValue("254700000402");
  await expect(session.page.getByLabel("Message")).toHaveValue("Jambo");
});

test("what is typed in the moment in which another field is left stays", async () => {
  await using session = await openDashboard();
  await session.visit("send");
  await session.page.getByLabel("Message").fill("Habari");

  await atFirstSight(session.page, { sight: "[name=sender_id]", focus: true, text: "MFANO" });

  await expect(session.page.getByLabel("Sender ID")).toHaveValue("MFANO");
});
