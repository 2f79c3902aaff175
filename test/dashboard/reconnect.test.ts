import type { Locator, Page } from "@playwright/test";
import { test } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { shownBalance } from "./shown-balance.ts";
import { sendAirtime, sendMany } from "./traffic.ts";
import { expect, welcomeVisitor } from "./visitor.ts";
import { startCuttableProxy } from "./cuttable-proxy.ts";

const LOST = "Connection lost, retrying…";
/** A magic number: accepted, and stuck. */
const NEVER_SETTLES = "254700000204";

test("says that the connection is lost, and goes on after the last event when it is back", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await using proxy = await startCuttableProxy(sandbox.url);
  await using visitor = await welcomeVisitor(proxy.url);
  visitor.expectBreach(/ERR_/);
  await sendAirtime(sandbox, "254712345678", "100");
  await visitor.visit("account");
  const balance = shownBalance(visitor.page);
  await expect(balance).toHaveText("KES 9,905.00");

  proxy.cut();
  await expect(visitor.page.getByRole("status").getByText(LOST)).toBeVisible();
  await sendAirtime(sandbox, "254712345678", "200");
  proxy.mend();

  await expect(visitor.page.getByText(LOST)).toBeHidden();
  await expect(balance).toHaveText("KES 9,715.00");
  // Opened, its scenarios, the first top-up.
  expect(proxy.resumedAfter).toEqual([3]);
});

test("while the connection is lost the view is only shorter, and its clock stands still", async () => {
  await using sandbox = await createSandbox({ clock: { mode: "real" }, seed: 1, accounts: [{ balance: "100000" }] });
  await using proxy = await startCuttableProxy(sandbox.url);
  await using visitor = await welcomeVisitor(proxy.url);
  visitor.expectBreach(/ERR_/);
  const { page } = visitor;
  await page.clock.install();
  await sendMany(sandbox, 100);
  await visitor.visit("requests");
  const clock = page.getByRole("button", { name: /^Clock/ }).locator("time");
  const foot = page.getByRole("button", { name: /^Export/ });
  await expect(foot).toBeInViewport({ ratio: 1 });
  const begun = (await clock.textContent()) ?? "";
  await page.clock.fastForward("01:00");
  await expect(clock).not.toHaveText(begun);

  proxy.cut();
  await expect(page.getByText(LOST)).toBeInViewport({ ratio: 1 });
  const stopped = (await clock.textContent()) ?? "";
  await page.clock.fastForward("01:00");

  await expect(page.getByText(LOST)).toBeInViewport({ ratio: 1 });
  await expect(foot).toBeInViewport({ ratio: 1 });
  await expect(clock).toHaveText(stopped);
  await expect(page.getByRole("banner").getByTitle("when the connection was lost")).toBeVisible();
});

test("on a telephone an opened request lies between what is wrong and what became of an action", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await using proxy = await startCuttableProxy(sandbox.url);
  await using visitor = await welcomeVisitor(proxy.url, { viewport: { width: 390, height: 844 } });
  visitor.expectBreach(/ERR_/);
  const requestId = await sendAirtime(sandbox, "254712345678", "100");
  await visitor.visit(`requests/${requestId}`);
  const opened = visitor.page.getByRole("region", { name: "Airtime to +254 712 345 678" });
  await expect(opened.getByRole("tab", { name: "Timeline" })).toBeVisible();

  proxy.cut();

  await expect(visitor.page.getByText(LOST)).toBeInViewport({ ratio: 1 });
  await expect(opened).toBeInViewport({ ratio: 1 });
  expect((await opened.boundingBox())?.height).toBeGreaterThan(700);
});

test("after a restart of the sandbox it shows each row of the journal once, and those that come next", async () => {
  await using first = await createSandbox({ clock: "manual", seed: 1 });
  await using visitor = await welcomeVisitor(first.url);
  visitor.expectBreach(/ERR_/);
  await sendAirtime(first, "254712345678", "100");
  await sendAirtime(first, "254733456789", "200");
  await visitor.visit("requests");
  const rows = visitor.page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);
  const kept = await exportOf(first);

  await first.close();
  await expect(visitor.page.getByText(LOST)).toBeVisible();
  await expect(rows).toHaveCount(2);
  await using second = await createSandbox({ clock: "manual", seed: 2, port: Number(new URL(first.url).port) });
  await importInto(second, kept);
  await sendAirtime(second, "254772345678", "300");

  await expect(visitor.page.getByText(LOST)).toBeHidden();
  await expect(visitor.page.getByRole("status").getByText(/The sandbox was restarted at/)).toBeVisible();
  await expect(rows).toHaveCount(3);
  expect(await namesOf(rows)).toEqual([
    "Pending: Airtime to +254 772 345 678; got 200",
    "Pending: Airtime to +254 733 456 789; got 200",
    "Pending: Airtime to +254 712 345 678; got 200",
  ]);
});

test("while the sandbox is down, an opened order stands complete, with its messages from the journal", async () => {
  await using sandbox = await createSandbox({
    clock: "manual",
    seed: 1,
    callback_values: "text",
    accounts: [{ callbacks: { airtime: "kredo:sink" } }],
  });
  await using proxy = await startCuttableProxy(sandbox.url);
  await using visitor = await welcomeVisitor(proxy.url);
  const { page } = visitor;
  visitor.expectBreach(/ERR_|Failed to load/);
  await sendAirtime(sandbox, "254733456789", "200");
  const requestId = await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("5s");
  await visitor.visit("requests");
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(2);

  proxy.cut();
  await expect(page.getByText(LOST)).toBeVisible();
  await page.locator(`a[href*="${requestId}"]`).click();

  const steps = page.getByRole("list", { name: "Timeline" }).locator("> li");
  await expect(steps.getByRole("heading")).toHaveText([
    "Accepted — your backend got 200",
    /^Result 200/,
    /^Callback 1 said: delivered, result 200/,
    "Callback again",
  ]);
  await expect(steps.nth(1)).toContainText("−95.00 charged");
  await page.getByRole("tab", { name: "HTTP" }).click();
  await expect(page.getByText("From the journal, which has no headers.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Request", exact: true })).toContainText('"amount": "100"');
  await expect(page.getByRole("region", { name: "Acknowledgment" })).toContainText(`"request_id": "${requestId}"`);
  await expect(page.getByRole("region", { name: "Callback 1", exact: true })).toContainText('"result_code": "200"');
});

test("an opened order is not read from the control API", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await using visitor = await welcomeVisitor(sandbox.url);
  const read: string[] = [];
  visitor.page.on("request", (request) => void read.push(request.url()));
  const requestId = await sendAirtime(sandbox, "254712345678", "100");

  await visitor.visit(`requests/${requestId}`);
  await sandbox.clock.advance("5s");
  await expect(visitor.page.getByRole("heading", { name: /^Result 200/ })).toBeVisible();

  expect(read.filter((url) => url.includes("/transactions"))).toEqual([]);
});

test("after eviction it goes on from the snapshot, with what is still to come and what came since", async () => {
  await using sandbox = await createSandbox({
    clock: "manual",
    seed: 1,
    journal: { max_transactions: 5 },
    accounts: [{ balance: "20000" }],
  });
  await using proxy = await startCuttableProxy(sandbox.url);
  await using visitor = await welcomeVisitor(proxy.url);
  visitor.expectBreach(/ERR_/);
  const stuck = await sendAirtime(sandbox, NEVER_SETTLES, "100");
  await sendAirtime(sandbox, "254733456789", "200");
  await visitor.visit("requests");
  const rows = visitor.page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);

  proxy.cut();
  await expect(visitor.page.getByText(LOST)).toBeVisible();
  await sandbox.clock.advance("10s");
  await sendMany(sandbox, 300);
  await sandbox.clock.advance("10s");
  await sendAirtime(sandbox, "254772345678", "300");
  proxy.mend();

  await expect(visitor.page.getByText(LOST)).toBeHidden();
  await expect(rows.first()).toHaveAccessibleName("Pending: Airtime to +254 772 345 678; got 200");
  await visitor.page.getByRole("searchbox", { name: /^Search/ }).fill("254700000204");
  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAttribute("href", new RegExp(stuck));
  await visitor.page.getByRole("searchbox", { name: /^Search/ }).fill("254733456789");
  await expect(rows).toHaveCount(0);
  await expect(shownBalance(visitor.page)).toHaveText("KES 5,180.00");
});

test("a tab that is not seen reads nothing, and catches up when it is seen", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await using proxy = await startCuttableProxy(sandbox.url);
  await using visitor = await welcomeVisitor(proxy.url);
  await visitor.visit("account");
  const balance = shownBalance(visitor.page);
  await expect(balance).toHaveText("KES 10,000.00");

  await setHidden(visitor.page, true);
  await expect.poll(() => proxy.openStreams()).toBe(0);
  await sandbox.wallet.topUp("500");
  await expect(balance).toHaveText("KES 10,000.00");
  await setHidden(visitor.page, false);

  await expect(balance).toHaveText("KES 10,500.00");
  // The account's own, and that of requests of no account.
  await expect.poll(() => proxy.openStreams()).toBe(2);
});

async function exportOf(sandbox: Sandbox): Promise<string> {
  return (await sandbox.fetch("/__admin/accounts/default/export")).text();
}

async function importInto(sandbox: Sandbox, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await sandbox.fetch("/__admin/accounts/default/import", { method: "PUT", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
}

function namesOf(rows: Locator): Promise<(string | null)[]> {
  return rows.evaluateAll((links) => links.map((link) => link.getAttribute("aria-label")));
}

/** Playwright keeps every page in sight, so the page is told what a browser would tell it. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}
