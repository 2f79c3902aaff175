import { text } from "node:stream/consumers";
import { test } from "vitest";
import { atFirstSight } from "./at-first-sight.ts";
import { startReceiver } from "./receiver.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime, sendMany, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("a failed callback is explained in the transaction's timeline, with what the receiver answered", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  await session.sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(500);
  await session.visit("transactions");

  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.sandbox.clock.advance("5s");
  await session.page.getByRole("link", { name: "Succeeded: Airtime to +254 712 345 678" }).click();
  const told = session.page
    .getByRole("list", { name: "Timeline" })
    .getByRole("listitem")
    .filter({ hasText: "Callback attempt 1" });
  await expect(told).toContainText("answered 500");
  await session.page.getByRole("tab", { name: "Callbacks" }).click();

  const attempt = session.page.getByRole("list", { name: /^Callback attempts/ }).getByRole("listitem");
  await expect(attempt).toContainText("answered 500");
  await expect(attempt).toContainText("SQLSTATE[HY000]: database is locked");
  await expect(attempt).toContainText(`POST ${receiver.url}`);
  await expect(attempt).toContainText('"charge": 95');
  await expect(session.page.getByRole("tabpanel").getByText(/the receiver failed/)).toHaveCount(1);
});

test("a callback that reached nobody is sent again, the same to the byte, when somebody listens", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  await session.sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(503);
  const requestId = await sendAirtime(session.sandbox, "254712345678", "100");
  await session.sandbox.clock.advance("5s");
  receiver.answerWith(200);

  await session.visit(`transactions/${requestId}?tab=callbacks`);
  await session.page.getByRole("button", { name: "Resend callback" }).click();

  const attempts = session.page.getByRole("list", { name: /^Callback attempts/ });
  await expect(attempts.getByRole("listitem").filter({ hasText: "Callback attempt 2" })).toContainText("Answered 200");
  await expect(session.page.getByRole("status").filter({ hasText: "Callback resent." })).toBeVisible();
  expect(receiver.bodies).toEqual([receiver.bodies[0], receiver.bodies[0]]);
});

test("settling by hand with another result shows in the row and reaches the receiver", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  await session.sandbox.callbacks.set({ airtime: receiver.url });
  const requestId = await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit(`transactions/${requestId}`);

  await session.page.getByLabel("Result code").fill("404");
  await session.page.getByRole("button", { name: "Settle with this result" }).click();

  await expect(session.page.getByRole("list", { name: "Timeline" })).toContainText("Result 404");
  await session.page.keyboard.press("Escape");
  await expect(session.page.getByRole("link", { name: "Failed 404: Airtime to +254 712 345 678" })).toBeFocused();
});

test("filters stand in the address, so that a link shows the same rows", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await sendSms(session.sandbox, "254733456789", "Oda yako iko njiani");
  await session.visit("transactions");
  const rows = session.page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);

  await session.page.keyboard.press("/");
  await session.page.keyboard.type("njiani");
  await expect(rows).toHaveCount(1);
  await session.page.reload();

  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName("Queued: SMS to +254 733 456 789");
  await expect(session.page.getByRole("searchbox", { name: /^Search/ })).toHaveValue("njiani");
});

test("a message with markup and right-to-left marks shows as what it is", async () => {
  const message = 'Salio\u202E: <script>document.title = "x"</script><img src=x onerror="document.title = 1">';
  await using session = await openDashboard();
  const requestId = await sendSms(session.sandbox, "254712345678", message);

  await session.visit("transactions");
  await expect(session.page.getByRole("cell").filter({ hasText: "onerror" })).toContainText(message);
  await session.visit(`transactions/${requestId}?tab=request`);

  await expect(session.page.getByRole("region", { name: "request body" })).toContainText("<script>");
  await expect(session.page).toHaveTitle(/Kredo/);
  await expect(session.page.locator("body script, body img")).toHaveCount(0);
});

test("10,000 rows are a hundred in the page, and the oldest is at the end", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "10000000" }] });
  await sendSms(session.sandbox, "254733456789", "The very first one");
  await sendMany(session.sandbox, 9_999);
  await session.visit("transactions");
  const table = session.page.getByRole("table");
  await expect(table).toHaveAttribute("aria-rowcount", "10001", { timeout: 60_000 });
  const drawnAtFirst = await table.getByRole("row").count();

  await session.page.getByRole("rowgroup", { name: "Transactions" }).focus();
  await session.page.keyboard.press("End");

  await expect(table.getByRole("row", { name: /The very first one/ })).toBeInViewport();
  await expect(table.getByRole("row", { name: /The very first one/ })).toHaveAttribute("aria-rowindex", "10001");
  expect(drawnAtFirst).toBeLessThan(100);
  expect(await table.getByRole("row").count()).toBeLessThan(100);
});

test("by keyboard alone: to the rows, down, open, read, close, back where one was", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await sendAirtime(session.sandbox, "254733456789", "200");
  await session.visit();
  const { page } = session;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.type("gt");
  await expect(page.getByRole("table", { name: "Transactions, newest first" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeFocused();
});

test("keys pressed in the moment in which the rows are drawn are heard", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await sendAirtime(session.sandbox, "254733456789", "200");
  await session.visit("phones");
  await expect(session.page.getByRole("link", { name: /\+254 733 456 789/ })).toBeVisible();

  await atFirstSight(session.page, { place: "transactions", sight: "[role=rowgroup] a", keys: ["j", "j"] });

  await expect(session.page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeFocused();
});

test("Escape pressed in the moment in which a request opens closes it", async () => {
  await using session = await openDashboard();
  const requestId = await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("transactions");
  await expect(session.page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeVisible();

  await atFirstSight(session.page, { place: `transactions/${requestId}`, sight: ".inspector", keys: ["Escape"] });

  await expect(session.page.locator(".inspector")).toBeHidden();
  await expect(session.page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeFocused();
});

test("a key pressed in the moment in which a request is closed goes on from its row", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  const requestId = await sendAirtime(session.sandbox, "254733456789", "200");
  await sendAirtime(session.sandbox, "254770000001", "300");
  await session.visit("transactions");
  await expect(session.page.getByRole("table").getByRole("link")).toHaveCount(3);

  await atFirstSight(session.page, { place: `transactions/${requestId}`, sight: ".inspector", keys: ["Escape", "j"] });

  await expect(session.page.locator(".inspector")).toBeHidden();
  await expect(session.page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeFocused();
});

test("rows are sorted by a column, found by time, and kept as a file as they are shown", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "300");
  await sandbox.clock.advance("1m");
  await sendAirtime(sandbox, "254733456789", "100");
  await sendAirtime(sandbox, "254770000001", "200");
  await session.visit("transactions");
  const numbers = page.getByRole("table").getByRole("row").locator(".transaction-phone");

  await page.getByRole("columnheader", { name: "Amount" }).getByRole("button").click();
  await expect(numbers).toContainText(["733 456 789", "770 000 001", "712 345 678"]);
  await page.getByLabel("From, in Nairobi").fill("2025-01-06T09:01:00");
  await expect(numbers).toContainText(["733 456 789", "770 000 001"]);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);

  const lines = (await text(await file.createReadStream())).trimEnd().split("\r\n");
  expect(lines.map((line) => /2547\d+/.exec(line)?.[0])).toEqual([undefined, "254733456789", "254770000001"]);
});

test("a filter is saved in the browser and taken again", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "300");
  await sendAirtime(sandbox, "254733456789", "100");
  await session.visit("transactions?number=733");
  const rows = page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(1);

  await page.getByRole("button", { name: "Save filter" }).click();
  await session.visit("transactions");
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Saved filters").selectOption("number 733");

  await expect(rows).toHaveCount(1);
});
