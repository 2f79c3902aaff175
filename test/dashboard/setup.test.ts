import { test } from "vitest";
import { atFirstSight } from "./at-first-sight.ts";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { postTo, sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("a new user begins at the transactions, and the setup folds once a URL and a request are there", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  const setup = page.getByRole("group").filter({ has: page.getByRole("heading", { name: "Setup" }) });
  await expect(page.getByRole("heading", { level: 1, name: "Transactions" })).toBeVisible();
  await expect(setup).toContainText("Waiting for your first request…");

  await setup.getByRole("textbox", { name: "Callback URL" }).fill(receiver.url);
  await setup.getByRole("button", { name: "Save and test" }).click();
  await expect(setup.getByRole("status")).toContainText("delivered");
  await sendAirtime(sandbox, "254712345678", "100");

  await expect(setup).not.toHaveAttribute("open");
  await expect(setup).toContainText("Done: First request");
  expect(receiver.bodies).toHaveLength(1);
});

test("the built-in sink takes callbacks where there is no receiver", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await page.getByRole("button", { name: "Use built-in sink" }).click();
  await expect(page.getByRole("textbox", { name: "Callback URL" })).toHaveValue("kredo:sink");
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("5s");

  await expect(page.getByRole("table").getByRole("row", { name: /254 712 345 678/ })).toContainText("Delivered");
});

test("a callback URL typed in the moment in which its field appears stays", async () => {
  await using session = await openDashboard();
  await session.visit("wallet");
  await expect(session.page.getByRole("heading", { level: 1 })).toBeVisible();

  await atFirstSight(session.page, {
    place: "transactions",
    sight: ".callback-url input",
    text: "http://localhost:3000/hooks",
  });

  await expect(session.page.getByRole("textbox", { name: "Callback URL" })).toHaveValue("http://localhost:3000/hooks");
});

test("a callback URL that cannot be one is refused at its field", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit();
  const field = page.getByRole("textbox", { name: "Callback URL" });

  await field.fill("localhost:3000");
  session.expectBreach(/422/);
  await field.press("Enter");

  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("label", { has: field }).getByRole("alert")).toContainText(/http/);
});

test("requests with an unknown key and without credentials are shown as they come, with what to change", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  await expect(page.getByText("Waiting for your first request…").first()).toBeVisible();

  await postTo({ url: sandbox.url, consumerKey: "sandbox-kye", consumerSecret: "x" }, "/api/v2/airtime", {});
  await fetch(`${sandbox.url}/api/airtime`, { method: "POST" });

  const strangers = page.getByRole("list", { name: "Requests that matched no account, newest first" });
  await expect(strangers.getByRole("listitem")).toHaveCount(2);
  await expect(strangers).toContainText("No account has the key sandbox-kye: send sandbox-key");
  await expect(strangers).toContainText("404 POST /api/airtime: did you mean /api/v2/airtime?");
  await page.getByRole("button", { name: "open an account with this key" }).click();
  await expect(page.getByRole("banner").getByLabel("Account")).toHaveValue("sandbox-kye");
});

test("a refused request says which field to mend where the first request is waited for, and folds the setup once it is opened", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await sendAirtime(sandbox, "25471234", "100");
  const refused = page.getByRole("list", { name: "Refused so far, newest last" });
  await expect(refused).toContainText(/phone.number/i);
  await expect(refused).not.toContainText("Validation failed");
  await refused.getByRole("link").click();

  await expect(page.getByRole("tab", { name: "Story" })).toBeVisible();
  await expect(refused).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(refused).toBeVisible();
});

test("a wrong secret is told where the first request is waited for", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await postTo({ url: sandbox.url, consumerKey: sandbox.consumerKey, consumerSecret: "wrong" }, "/api/v2/airtime", {});

  await expect(page.getByRole("list", { name: "Refused so far, newest last" })).toContainText("the secret is wrong");
});

test("an account that was opened elsewhere is in the list that is asked for, and long keys can be told apart", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  const shown = page.getByRole("banner").getByLabel("Account");
  await expect(shown).toHaveValue("sandbox-key");
  await sandbox.account({ consumer_key: "integration-tests-of-the-shop-worker-1" });
  await sandbox.account({ consumer_key: "integration-tests-of-the-shop-worker-2" });

  await shown.focus();

  await expect(shown.getByRole("option")).toHaveText([
    "sandbox-key",
    "integrati…-shop-worker-1",
    "integrati…-shop-worker-2",
  ]);
});

test("rows that are gone are accounted for: a reset says so, and so does eviction", async () => {
  await using session = await openDashboard({ journal: { max_transactions: 1 }, accounts: [{ balance: "10000000" }] });
  const { page, sandbox } = session;
  await Array.from({ length: 5 }).reduce<Promise<unknown>>(async (before) => {
    await before;
    await Promise.all(Array.from({ length: 60 }, () => sendAirtime(sandbox, "254712345678", "5")));
    await sandbox.clock.advance("1h");
  }, Promise.resolve());

  await session.visit();
  await expect(page.getByText(/older requests are no longer kept/)).toBeVisible();
  await sandbox.reset();

  await expect(page.getByRole("status").getByText(/The account was reset at/)).toBeVisible();
});

test("an address that names no view says so and leads back", async () => {
  await using session = await openDashboard();
  const { page } = session;

  await session.visit("walet");
  await expect(page.getByRole("heading", { name: "View not found" })).toBeVisible();
  await expect(page).toHaveTitle("Not found · Kredo");
  await page.getByRole("main").getByRole("link", { name: "Wallet" }).click();

  await expect(page).toHaveTitle("Wallet · Kredo");
});

test("times are shown to the millisecond, in Nairobi or in UTC, and the choice stays", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit();
  const row = page.getByRole("table").getByRole("row", { name: /254 712 345 678/ });
  await expect(row).toContainText("09:00:00.000");

  await page.getByRole("combobox", { name: "Times", exact: true }).selectOption("UTC");
  await expect(row).toContainText("06:00:00.000");
  await session.visit("time");
  await expect(page.getByRole("region", { name: "Now" })).toContainText("Mon 6 Jan 2025 UTC");
  await page.getByLabel("Show this moment, UTC").fill("2025-01-06T07:30:00");
  await page.getByRole("button", { name: "Set the clock" }).click();
  await expect(page.getByRole("region", { name: "Now" }).getByRole("time")).toHaveText("07:30:00");
  await session.visit();
  await page.reload();

  await expect(row).toContainText("06:00:00.000");
});

test("the theme that is chosen comes before the browser's", async () => {
  await using session = await openDashboard({}, { colorScheme: "light" });
  const { page } = session;
  await session.visit();

  await page.getByLabel("Theme").selectOption("dark");

  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(15, 21, 18)");
});

test("a transaction whose result was not sent offers the field for the URL where it says so", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  const requestId = await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("5s");
  await session.visit(`transactions/${requestId}`);
  const opened = page.getByRole("region", { name: "Airtime to +254 712 345 678" });
  await expect(opened).toContainText("no callback URL registered for airtime");

  await opened.getByRole("textbox", { name: "Airtime callback URL" }).fill(receiver.url);
  await opened.getByRole("button", { name: /^Save and test/ }).click();

  await expect(opened.getByRole("status").filter({ hasText: "delivered" })).toBeVisible();
  expect(receiver.bodies).toHaveLength(1);
});

test.for(["wallet/nothing", "callbacks/nothing", "scenarios/nothing"])(
  "an address that names nothing, such as %s, says so",
  async (place) => {
    await using session = await openDashboard();

    await session.visit(place);

    await expect(session.page.getByRole("main")).toContainText(`There is nothing at ${place}`);
    await expect(session.page).toHaveTitle("Not found · Kredo");
  },
);

test("an account that is not there is not waited for", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 404/);

  await session.visit("wallet?account=nobody");

  await expect(session.page.getByRole("status").getByText("No account has the key nobody")).toBeVisible();
  await expect(session.page.getByText("Reading the journal…")).toBeHidden();
});
