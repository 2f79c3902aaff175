import type { Page } from "@playwright/test";
import { test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

const WANJIKU = "254712345678";

test("the timeline begins with both truths, and says each event once, with the money that it moved", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(500);
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  await sandbox.clock.advance("5s");

  await session.visit(`requests/${requestId}`);

  await expect(page.getByText(/^Your backend knows/)).toHaveText(
    "Your backend knows: accepted. The customer got: KES 100.00. You paid: 95.00.",
  );
  const steps = page.getByRole("list", { name: "Timeline" }).locator("> li");
  await expect(steps.getByRole("heading")).toHaveText([
    "Accepted — your backend got 200",
    "Result 200 — Airtime top-up of KES 100.00 to 254712345678 was successful.",
    /^Callback 1 said: delivered, result 200 — your receiver answered 500 in [\d,]+ ms$/,
    "Callback again",
  ]);
  await expect(steps.nth(0)).toContainText("−95.00 held");
  await expect(steps.nth(1)).toContainText("−95.00 charged9,905.00 available");
  await expect(page.getByRole("list", { name: "Timeline" }).getByText("95.00")).toHaveCount(2);
  await expect(steps.nth(2)).toContainText("Your receiver said: SQLSTATE[HY000]: database is locked");
});

test("a double sale says in red what was given, and lists both orders with what each got", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254700000602", "75").catch(() => "");
  await sandbox.clock.advance("5s");
  await sendAirtime(sandbox, "254700000602", "75").catch(() => "");
  await sandbox.clock.advance("5s");
  await session.visit("requests");

  await page.getByRole("link", { name: /^Sold twice/ }).click();

  const opened = page.getByRole("region", { name: "What happened" });
  await expect(opened.getByText("KES 150.00 given for KES 75.00 asked")).toHaveCSS("color", await badColour(page));
  await expect(page.getByText(/^Your backend knows/)).toContainText("The customer got: KES 150.00. You paid: 142.50.");
  const orders = page.getByRole("list", { name: "Requests of this sale" }).getByRole("listitem");
  await expect(orders).toHaveText([/no answerKES 75\.00not sent/, /no answerKES 75\.00not sent/]);
  await orders.first().getByRole("link").click();
  await expect(orders.first().getByRole("link")).toHaveAttribute("aria-current", "true");
});

test("an order that the page sent does not speak of a backend", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("requests");
  await page.getByRole("button", { name: "Send…" }).click();
  await page.getByRole("dialog", { name: "Send" }).getByRole("button", { name: "Send airtime" }).click();
  await page.getByRole("link", { name: /Airtime to/ }).click();

  const inspector = page.getByRole("region", { name: /^Airtime to/ });
  await expect(inspector.getByText(/^Sent from this page .* The customer got: nothing yet\./)).toBeVisible();
  await expect(inspector).not.toContainText(/your backend/i);
});

test.for([
  ["malformed: true", "unreadable: not JSON", /^"r/, "not JSON from here on"],
  ["unknown_id: true", "unknown id", /^"[\da-f-]{36}"$/, "request_id unknown id: nobody was given it; right is "],
] as const)(
  "a callback with %s has the wrong place marked where it stands, with words",
  async ([effect, said, marked, problem]) => {
    await using receiver = await startReceiver();
    await using session = await openDashboard();
    const { page, sandbox } = session;
    await sandbox.callbacks.set({ airtime: receiver.url });
    await sandbox.scenario(`version: 1\nname: s\nrules: [{ name: r, then: { callback: { ${effect} } } }]`);
    const requestId = await sendAirtime(sandbox, WANJIKU, "100");
    await sandbox.clock.advance("5s");

    await session.visit(`requests/${requestId}`);

    const callback = page.getByRole("list", { name: "Timeline" }).locator("> li").nth(2);
    await expect(callback.getByRole("heading")).toContainText(`Callback 1 said: ${said} — your receiver answered 200`);
    await expect(callback.locator("mark")).toHaveText(marked);
    await expect(callback.locator("pre")).toHaveText(receiver.bodies[0] ?? "");
    await expect(callback.getByRole("list", { name: "What is wrong with it" })).toContainText(problem);
    await expect(callback).not.toContainText("never got");
  },
);

test("the body of a right callback is folded, and has nothing marked", async () => {
  await using session = await openDashboard({ accounts: [{ callbacks: { airtime: "kredo:sink" } }] });
  const { page, sandbox } = session;
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  await sandbox.clock.advance("5s");
  await session.visit(`requests/${requestId}`);
  const callback = page.getByRole("list", { name: "Timeline" }).locator("> li").nth(2);

  await expect(callback.getByText('"charge":95')).toBeHidden();
  await callback.getByText("Its body").click();

  await expect(callback.getByText('"charge":95')).toBeVisible();
  await expect(callback.locator("mark")).toHaveCount(0);
});

test("everything that can be copied is in one menu, which the keyboard reaches", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  await session.visit(`requests/${requestId}`);
  const inspector = page.getByRole("region", { name: "Airtime to +254 712 345 678" });
  await expect(inspector.getByRole("button", { name: /^Copy|copy/ })).toHaveCount(1);

  await page.getByRole("button", { name: "Copy…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copy as curl: the request" }).press("Enter");
  await expect(page.getByRole("button", { name: "Copy as curl: the request" })).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("/api/v2/airtime");
  await page.getByRole("button", { name: "request_id: copy" }).press("Enter");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(requestId);
  await page.keyboard.press("Escape");

  await expect(page.getByRole("dialog", { name: "Copy" })).toBeHidden();
  await expect(inspector).toBeVisible();
});

test("an order that is due says so in the chosen zone, and airtime shows no message on the phone", async () => {
  await using session = await openDashboard({ clock: { mode: "manual", now: "2025-01-06T12:00:00Z" } });
  const { page, sandbox } = session;
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");

  await session.visit(`requests/${requestId}`);

  await expect(page.getByText(/The result is on its way, due at 15:00:00\.\d{3}/)).toBeVisible();
  await expect(page.getByRole("list", { name: "Timeline" })).not.toContainText("12:00");
  await expect(page.getByRole("figure", { name: "On the phone" })).toHaveCount(0);
});

/** The colour of what is bad. */
function badColour(page: Page): Promise<string> {
  return page.evaluate(() => {
    const bad = document.body.appendChild(Object.assign(document.createElement("i"), { className: "bad" }));
    const { color } = getComputedStyle(bad);
    bad.remove();
    return color;
  });
}
