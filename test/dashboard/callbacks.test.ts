import { test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("undelivered callbacks are counted, told apart and sent again, the chosen ones alone", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("5s");
  receiver.answerWith(500);
  const lost = await sendAirtime(sandbox, "254733456789", "100");
  await sendAirtime(sandbox, "254712345678", "50");
  await sandbox.clock.advance("5s");
  receiver.answerWith(200);
  await session.visit("callbacks");

  await expect(
    page.getByRole("navigation", { name: "Panels" }).getByRole("link", { name: /^Callbacks/ }),
  ).toContainText("2 undelivered");
  await expect(page).toHaveTitle(/^\(2\) /);
  await page.getByRole("button", { name: /^Undelivered/ }).click();
  const rows = page.getByRole("table", { name: "Callbacks, newest first" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("500");
  await page.getByRole("checkbox", { name: "Select Airtime to +254 733 456 789" }).check();
  await page.getByRole("button", { name: "Resend 1 selected" }).click();

  await expect(rows).toHaveCount(2);
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(receiver.bodies.map((body) => JSON.parse(body).request_id).at(-1)).toBe(lost);
});

test("all callbacks that settled since a moment and were not delivered are sent again", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(503);
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("1h");
  const late = await sendAirtime(sandbox, "254733456789", "100");
  await sandbox.clock.advance("1m");
  receiver.answerWith(200);
  await session.visit("callbacks");
  await expect(page.getByRole("button", { name: "Undelivered 2" })).toBeVisible();

  await page.getByLabel(/^Settled since/).fill("2025-01-06T10:00:00");
  await page.getByRole("button", { name: "Resend all undelivered" }).click();

  await expect(page.getByRole("button", { name: "Undelivered 1" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delivered 1", exact: true })).toBeVisible();
  expect(receiver.bodies.slice(2).map((body) => JSON.parse(body).request_id)).toEqual([late]);
});
