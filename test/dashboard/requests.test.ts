import { test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { postTo, sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("a refused request keeps its number and is found by it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await postTo(sandbox, "/api/v2/airtime", { phone_number: "0712 345 678", amount: "lots" });
  await sendAirtime(sandbox, "254733456789", "100");
  await session.visit("transactions");
  const rows = page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);

  await page.getByRole("searchbox", { name: /^Number/ }).fill("254712");

  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName("Refused 422: Airtime to 0712 345 678");
});

test("a request for an unknown path shows what was sent there", async () => {
  await using session = await openDashboard();
  await postTo(session.sandbox, "/api/v1/airtime", { phone_number: "254712345678", amount: "50" });
  await session.visit("transactions");

  await session.page.getByRole("link", { name: "Refused 404: POST /api/v1/airtime" }).click();
  await session.page.getByRole("tab", { name: "Request" }).click();

  await expect(session.page.getByRole("region", { name: "request body" })).toContainText(
    '"phone_number": "254712345678"',
  );
});

test("a callback reads as in flight until its receiver has answered", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url, timeout: "10m" });
  receiver.hold();
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("transactions");
  const row = page.getByRole("table").getByRole("row", { name: /254 712 345 678/ });

  const advanced = sandbox.clock.advance("5s");
  await expect(row).toContainText("In flight");
  receiver.release();
  await advanced;

  await expect(row).toContainText("Delivered");
});

test("an acknowledgment that the client still waits for is not said to be given", async () => {
  await using session = await openDashboard({ accounts: [{ callbacks: { airtime: "kredo:sink" } }] });
  const { page, sandbox } = session;
  await sandbox.scenario({
    version: 1,
    name: "slow",
    rules: [{ name: "late", when: {}, then: { ack: { delay: "10m" } } }],
  });
  const client = new AbortController();
  const asked = postTo(
    sandbox,
    "/api/v2/airtime",
    { phone_number: "254712345678", amount: "100" },
    client.signal,
  ).catch(() => undefined);

  await session.visit("transactions");
  await page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" }).click();
  const waits = page
    .getByText("The client is still waiting for its acknowledgment, which is due 10m after the request.")
    .first();
  await expect(waits).toBeVisible();
  client.abort();
  await asked;

  await expect(waits).toBeHidden();
});
