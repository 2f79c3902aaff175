import { test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

const LOST_ACKNOWLEDGMENT = "254700000602";

test("an order that was accepted twice is found while one looks, with the exchanges that prove it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("findings");
  await expect(page.getByRole("heading", { name: /^Nothing noticed/ })).toBeVisible();

  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");
  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");

  const proofs = page.getByRole("list", { name: "Exchanges that prove it" }).first().getByRole("link");
  await expect(proofs).toHaveCount(2);
  await proofs.first().click();
  await expect(page.getByRole("region", { name: "Airtime to +254 700 000 602" })).toBeVisible();
});
