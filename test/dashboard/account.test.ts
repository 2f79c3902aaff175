import { once } from "node:events";
import { test } from "vitest";
import { startReceiver } from "./receiver.ts";
import { openDashboard } from "./dashboard-session.ts";
import { shownBalance } from "./shown-balance.ts";
import { expect } from "./visitor.ts";

test("a callback URL is saved, and a sample says what the receiver made of it", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page } = session;
  receiver.answerWith(419);
  await session.visit("account");

  await page.getByRole("textbox", { name: /^Airtime callback URL/ }).fill(receiver.url);
  await page.keyboard.press("Enter");

  const callbacks = page.getByRole("region", { name: "Callbacks" });
  await expect(callbacks.getByRole("status").filter({ hasText: "419" })).toContainText(
    "SQLSTATE[HY000]: database is locked",
  );
  expect(receiver.bodies).toHaveLength(1);
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
  await page.getByRole("button", { name: `Drop ${key}` }).click();

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
  await session.visit("wallet");
  await expect(options).toHaveText(["sandbox-key"]);

  await open();
  await expect(options).toHaveText(["sandbox-key", "of-a-test"]);
  await session.visit("wallet?account=of-a-test");
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
  await session.visit("wallet?account=of-a-test");
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

test("where every account was dropped, the page says so and opens one", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  // What it had asked of the account that was dropped meanwhile.
  session.expectBreach(/404/);
  await session.visit("wallet");
  await expect(shownBalance(page)).toHaveText("KES 10,000.00");

  await fetch(`${sandbox.url}/__admin/accounts/default`, { method: "DELETE" });
  await page.getByRole("button", { name: "Open one" }).click();

  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
  await expect(page.getByRole("banner").getByLabel("Account")).not.toHaveValue("sandbox-key");
});
