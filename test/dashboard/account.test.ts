import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "vitest";
import { startReceiver } from "./receiver.ts";
import { openDashboard } from "./dashboard-session.ts";
import { shownBalance } from "./shown-balance.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

/** Nothing listens there. */
const DEAD = "http://127.0.0.1:9/hooks";

test("a callback URL is saved, and the doctor says what the receiver made of a sample, until that is dismissed", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page } = session;
  receiver.answerWith(419);
  await session.visit("account");
  const callbacks = page.getByRole("region", { name: "Callbacks" });
  const result = callbacks.getByRole("status").filter({ hasText: "419" });

  await page.getByRole("textbox", { name: /^Airtime callback URL/ }).fill(receiver.url);
  await page.keyboard.press("Enter");
  await expect(result).toContainText("SQLSTATE[HY000]: database is locked");
  await page.getByRole("link", { name: "Failures" }).click();
  await page.getByRole("link", { name: "Account" }).click();
  await expect(result).toContainText("Not acknowledged");
  await result.getByRole("button", { name: "Dismiss" }).click();

  await expect(result).toBeHidden();
  expect(receiver.bodies).toHaveLength(1);
});

test("a dead URL is called unreachable, with the reason, and shows no tick", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("account");

  await page.getByRole("textbox", { name: /^Airtime callback URL/ }).fill(DEAD);
  await page.keyboard.press("Enter");
  const callbacks = page.getByRole("region", { name: "Callbacks" });

  await expect(callbacks.getByRole("status").first()).toContainText(/Unreachable.*Nothing listens/s);
  await expect(callbacks).not.toContainText("✓");
  await expect(callbacks.locator(".good")).toHaveCount(0);
});

test("a URL that cannot be called is refused once, at its field", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 422/);
  const { page } = session;
  await session.visit("account");
  const field = page.getByRole("textbox", { name: /^Airtime callback URL/ });

  await field.fill("localhost:3000");
  await field.press("Enter");

  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText(/is not a URL that can be called/)).toHaveCount(1);
  await expect(page.getByText(/is not a URL that can be called/)).not.toContainText("and 1 more");
});

test("the button that waits for the receiver keeps the focus", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page } = session;
  receiver.hold();
  await session.visit("account");
  const button = page.getByRole("form", { name: "Airtime callback URL" }).getByRole("button");
  await page.getByRole("textbox", { name: /^Airtime callback URL/ }).fill(receiver.url);

  await button.focus();
  await page.keyboard.press("Enter");
  await expect(button).toHaveText("Waiting for the response…");
  const whileBusy = await button.evaluate((element) => document.activeElement === element);
  receiver.release();

  await expect(button).toHaveText("Test");
  await expect(button).toBeFocused();
  expect(whileBusy).toBe(true);
});

test("the account opens at its top on a phone", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 844 } });
  const { page } = session;

  await session.visit("account");
  await expect(page.getByRole("heading", { name: "Journal" })).toBeAttached();

  expect(await page.locator("#main").evaluate((main) => main.scrollTop)).toBe(0);
  await expect(page.getByRole("heading", { name: "Callbacks" })).toBeInViewport();
});

test("header and wallet say the same, however fast the balance changes", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "100000" }] });
  const { page, sandbox } = session;
  await session.visit("account");
  await expect(page.getByRole("region", { name: "Wallet" })).toContainText("100,000.00");

  const differences = page.evaluate(async () => {
    const differing: string[] = [];
    let last = "";
    while (last !== "97625.00") {
      await new Promise(requestAnimationFrame);
      const shown = document.querySelectorAll(
        "[title='Available balance'], [aria-labelledby=account-wallet] dd strong",
      );
      const [header = "", wallet = ""] = Array.from(shown, ({ textContent }) => textContent.replaceAll(/[^\d.]/g, ""));
      if (header !== wallet) differing.push(`${header} ${wallet}`);
      last = header;
    }
    return differing;
  });
  for (let burst = 0; burst < 10; burst++) {
    await Promise.all(Array.from({ length: 50 }, () => sendAirtime(sandbox, "254712345678", "5")));
  }

  expect(await differences).toEqual([]);
});

test("the wallet runs out, and the line falls to what is left", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "100" }] });
  const { page, sandbox } = session;
  await session.visit("account");

  await sendAirtime(sandbox, "254712345678", "60");
  await sendAirtime(sandbox, "254712345678", "60");

  await expect(page.getByRole("img", { name: "Available balance, from KES 100.00 to KES 43.00" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Ledger, newest first" }).getByRole("row").nth(1)).toContainText("Hold");
});

test("ordinary charges are not red, and the balance is a line without fill", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.sandbox.clock.advance("5s");
  await session.visit("account");
  const wallet = session.page.getByRole("region", { name: "Wallet" });

  await expect(wallet.getByText("Charge", { exact: true })).toHaveClass("badge plain");
  await expect(wallet.locator("svg polyline")).toHaveCSS("fill", "none");
  // Opened, held, and settled: the release and the charge are one step.
  await expect(wallet.locator("svg polyline")).toHaveAttribute("points", "0,0 1,100 2,100");
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
  await page.getByRole("button", { name: "Drop", exact: true }).click();

  await expect(shown).toHaveValue("sandbox-key");
  await expect(shown.getByRole("option")).toHaveCount(1);
});

test("the list of accounts follows what tests open and drop, and so does an account that is shown", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  session.expectBreach(/status of 404/);
  const options = page.getByRole("banner").getByLabel("Account").getByRole("option");
  const open = (): Promise<Response> =>
    fetch(`${sandbox.url}/__admin/accounts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ consumer_key: "of-a-test", balance: "77.00" }),
    });
  await session.visit("account");
  await expect(options).toHaveText(["sandbox-key"]);

  await open();
  await expect(options).toHaveText(["sandbox-key", "of-a-test"]);
  await session.visit("account?account=of-a-test");
  await expect(shownBalance(page)).toHaveText("KES 77.00");
  await fetch(`${sandbox.url}/__admin/accounts/of-a-test`, { method: "DELETE" });
  await expect(page.getByRole("status").getByText("No account has the key of-a-test")).toBeVisible();
  await open();

  await expect(page.getByRole("status").getByText("No account has the key")).toBeHidden();
  await expect(shownBalance(page)).toHaveText("KES 77.00");
});

test("an account that was opened again before the page had read that it was dropped is followed again", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  session.expectBreach(/status of 404/);
  const accounts = `${sandbox.url}/__admin/accounts`;
  const open = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{ "consumer_key": "of-a-test", "balance": "77.00" }',
  };
  await fetch(accounts, open);
  await session.visit("account?account=of-a-test");
  await expect(shownBalance(page)).toHaveText("KES 77.00");
  const reopened = new AbortController();
  await page.route(accounts, async (route) => {
    if (!reopened.signal.aborted) await once(reopened.signal, "abort");
    await route.continue();
  });

  await fetch(`${accounts}/of-a-test`, { method: "DELETE" });
  await expect(page.getByRole("status").getByText("No account has the key of-a-test")).toBeVisible();
  await fetch(accounts, open);
  reopened.abort();

  await expect(page.getByRole("status").getByText("No account has the key")).toBeHidden();
  await expect(shownBalance(page)).toHaveText("KES 77.00");
});

test("the ledger comes as a file", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("account");

  const waiting = session.page.waitForEvent("download");
  await session.page.getByRole("button", { name: "Download CSV" }).click();
  const download = await waiting;

  expect(download.suggestedFilename()).toBe("ledger-sandbox-key.csv");
  expect((await text(await download.createReadStream())).trim().split("\n")).toHaveLength(3);
});
