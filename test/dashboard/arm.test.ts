import { test } from "vitest";
import { findObstacles } from "./find-obstacles.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("the next request of one number is refused, and a chip leads to the row that met it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("transactions");

  await page.getByRole("button", { name: "Arm…" }).click();
  await page.getByLabel("What goes wrong").selectOption("Refuse: 429");
  await page.getByLabel("Number", { exact: false }).last().fill("0733 456 789");
  expect(await findObstacles(page)).toEqual([]);
  await page.getByRole("button", { name: "Arm", exact: true }).click();
  const chip = page.getByRole("banner").getByRole("status");
  await expect(chip).toContainText("armed: Refuse: 429");
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254733456789", "100");
  await sendAirtime(sandbox, "254733456789", "100");

  await expect(page.getByRole("link", { name: "Refused 429: Airtime to +254 733 456 789" })).toHaveCount(1);
  await expect(page.getByRole("link", { name: /^Queued/ })).toHaveCount(2);
  await chip.getByRole("link", { name: "met: Refuse: 429" }).click();
  await expect(page.getByRole("region", { name: "Airtime to +254 733 456 789" })).toContainText("429");
});

test("a fault for three requests says how many are left, and is disarmed", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("transactions");

  await page.getByRole("button", { name: "Arm…" }).click();
  await page.getByLabel("What goes wrong").selectOption("Callback never");
  await page.getByLabel("How many requests").fill("3");
  await page.getByRole("button", { name: "Arm", exact: true }).click();
  const chip = page.getByRole("banner").getByRole("status");
  await expect(chip).toContainText("3 of 3 left");
  await sendAirtime(sandbox, "254712345678", "100");
  await expect(chip).toContainText("2 of 3 left");
  await page.getByRole("button", { name: "Disarm Callback never" }).click();

  await expect(chip).toHaveCount(0);
  expect((await sandbox.scenarios()).map(({ name }) => name)).not.toContain("callback-dropped");
});
