import { test } from "vitest";
import { startReceiver } from "./receiver.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("advancing shows what fired, in order, with each receiver's answer", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url, sms: receiver.url });
  await sandbox.scenario(delayed("sms", "5s"));
  await sendAirtime(sandbox, "254712345678", "100");
  await sendSms(sandbox, "254733456789", "Habari");
  await session.visit("time");
  await expect(page.getByRole("table", { name: "Pending, soonest first" }).getByRole("row")).toHaveCount(3);

  await page.getByRole("button", { name: "Advance by 10s" }).click();

  const fired = page.getByRole("list", { name: "Callbacks in order" }).getByRole("listitem");
  await expect(fired).toHaveCount(2);
  await expect(fired.nth(0)).toContainText("Airtime to +254 712 345 678");
  await expect(fired.nth(0)).toContainText("200");
  await expect(fired.nth(1)).toContainText("SMS to +254 733 456 789");
  await expect(page.getByRole("region", { name: "Now" }).getByRole("time")).toHaveText("09:00:10");
  await expect(page.getByText("Nothing is pending.")).toBeVisible();
});

test("goes to the next event and stops there", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.scenario(delayed("sms", "1h"));
  await sendSms(sandbox, "254733456789", "Habari");
  await session.visit("time");
  const pending = page.getByRole("table", { name: "Pending, soonest first" }).getByRole("row");
  await expect(pending).toHaveCount(3);

  await page.getByRole("button", { name: "To the next event" }).click();

  await expect(pending).toHaveCount(2);
  await expect(pending.nth(1)).toContainText("10:00:00");
});

test("a duration that is none is refused in the API's own words", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 422/);
  const { page } = session;
  await session.visit("time");

  await page.getByLabel("Advance by a duration").fill("a while");
  await page.keyboard.press("Enter");

  await expect(
    page
      .getByRole("main")
      .getByText(/"a while"/)
      .or(page.getByRole("status").getByText(/"a while"/))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: "Now" }).getByRole("time")).toHaveText("09:00:00");
});

test("another mode is set by its radio button", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("time");

  await page.getByRole("radio", { name: /^Scaled/ }).check();
  await page.getByLabel("Speed").fill("60");
  await page.getByRole("button", { name: "Set the clock" }).click();

  await expect(page.getByRole("region", { name: "Now" })).toContainText(/60/);
  await expect(page.getByRole("banner")).toContainText("scaled");
});

/** The carrier's result takes that long. */
function delayed(operation: "airtime" | "sms", delay: string): object {
  return {
    version: 1,
    name: "delayed",
    rules: [{ name: "delayed", when: { operation }, then: { result: { delay } } }],
  };
}

test("waiting until nothing is left can be stopped", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard({ clock: { mode: "real" } });
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url, timeout: "10m" });
  receiver.hold();
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("time");
  await page.getByRole("button", { name: "Run until empty" }).click();

  session.expectBreach(/ERR_ABORTED/);
  await page.getByRole("button", { name: "Stop waiting" }).click();

  await expect(page.getByText("Stopped waiting. What was due is still due.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run until empty" })).toBeEnabled();
});

test("a duration that is none, and a moment that has passed, are refused at their fields", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 422/);
  const { page } = session;
  await session.visit("time");
  const duration = page.locator("label", { hasText: "Advance by a duration" });
  const moment = page.locator("label", { hasText: "Show this moment" });

  await duration.getByRole("textbox").fill("soon");
  await page.keyboard.press("Enter");
  await expect(duration.getByRole("alert")).toContainText('"soon"');
  await duration.getByRole("textbox").fill("1s");
  await page.keyboard.press("Enter");
  await expect(duration.getByRole("alert")).toBeHidden();
  await moment.locator("input").fill("2024-01-01T00:00:00");
  await page.getByRole("button", { name: "Set the clock" }).click();

  await expect(moment.getByRole("alert")).toBeVisible();
});
