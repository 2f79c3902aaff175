import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { expect as expectNow, test } from "vitest";
import { accountPath, ControlClient } from "../../src/control/client/control-client.ts";
import type { Sandbox } from "../../src/index.ts";
import type { AccountClient } from "../../src/verdict/endpoints/client.ts";
import { findOverflow } from "./find-overflow.ts";
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
  const form = page.getByRole("form", { name: "Airtime callback URL" });
  const button = form.getByRole("button", { name: "Save and test" });
  await page.getByRole("textbox", { name: /^Airtime callback URL/ }).fill(receiver.url);

  await button.focus();
  await page.keyboard.press("Enter");
  await expect(form.getByRole("button", { name: "Testing…" })).toBeFocused();
  receiver.release();

  await expect(button).toBeFocused();
});

test("what is typed is marked as not saved until it is, and an emptied field removes the URL", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("account");
  const form = page.getByRole("form", { name: "Airtime callback URL" });
  const field = form.getByRole("textbox");
  await expect(form).not.toContainText("not saved");

  await field.fill(receiver.url);
  await expect(form).toContainText("not saved");
  const typed = await readUrls(sandbox);
  await form.getByRole("button", { name: "Save and test" }).click();
  await expect(form).not.toContainText("not saved");
  const saved = await readUrls(sandbox);
  await field.fill("");
  await expect(form).toContainText("not saved");
  await form.getByRole("button", { name: "Remove" }).click();
  await expect(form).not.toContainText("not saved");
  const removed = await readUrls(sandbox);

  expectNow({ typed, saved, removed }).toEqual({ typed: null, saved: receiver.url, removed: null });
});

async function readUrls({ url, consumerKey }: Sandbox): Promise<string | null> {
  const client: AccountClient = new ControlClient({ url, send: (request) => fetch(request) }, accountPath(consumerKey));
  return (await client.get("callbacks")).airtime;
}

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

test("a charge with its released hold is one row, and so is the release of a failed order", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"], accounts: [{ balance: "1000" }] });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("1m");
  await sendAirtime(sandbox, "254700000201", "60");
  await sandbox.clock.advance("1m");

  await session.visit("account");
  const rows = page.getByRole("table", { name: "Ledger, newest first" }).getByRole("row");

  await expect(rows).toContainText([
    /Amount.*Ledger.*Available/,
    /Released.*\+57\.00905\.00905\.00/,
    /Hold.*−57\.00905\.00848\.00/,
    /Charge.*−95\.00905\.00905\.00/,
    /Hold.*−95\.001,000\.00905\.00/,
    /Opening.*\+1,000\.001,000\.001,000\.00/,
  ]);
  await expect(rows).toHaveCount(6);
  await expect(page.getByRole("region", { name: "Wallet" }).getByRole("status")).toHaveText("5 entries");
});

test("the ledger is searched for what its rows show, also while the pointer rests on them", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "1000" }] });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("1m");
  await session.visit("account");
  const rows = page.getByRole("rowgroup", { name: "Entries" }).getByRole("row");
  await expect(rows).toHaveCount(3);

  await rows.first().hover();
  await page.getByRole("searchbox", { name: "Search the ledger" }).fill("charge +254 712 905.00");

  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Charge");
});

test.for([1440, 1024, 768, 390])(
  "with a long URL the account fits %d pixels, and the ledger's words are whole",
  async (width) => {
    const airtime = `http://${"a".repeat(40)}.example.co.ke/hooks/${"x".repeat(120)}`;
    await using session = await openDashboard(
      { accounts: [{ consumer_key: "k".repeat(100), callbacks: { airtime } }] },
      { viewport: { width, height: 844 } },
    );
    const { page, sandbox } = session;
    await sendAirtime(sandbox, "254712345678", "5000");
    await sandbox.clock.advance("1m");
    await sandbox.wallet.set("123456.78");
    await session.visit("account");
    const rows = page.getByRole("rowgroup", { name: "Entries" }).getByRole("row");
    await expect(rows).toHaveCount(4);

    const cut = await rows
      .getByRole("cell")
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );

    expectNow({ cut, overflow: await findOverflow(page) }).toEqual({ cut: [], overflow: [] });
  },
);

test.for([
  [1440, 900],
  [1024, 768],
] as const)("at %d pixels the whole wallet stays in view beside the last of the settings", async ([width, height]) => {
  await using session = await openDashboard({}, { viewport: { width, height } });
  const { page } = session;
  await session.visit("account");

  await page.getByRole("button", { name: "Reset…" }).scrollIntoViewIfNeeded();

  await expect(page.getByRole("region", { name: "Wallet" })).toBeInViewport({ ratio: 1 });
});

test("the journal that was exported is imported again", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "1000" }] });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("account");
  const journal = page.getByRole("region", { name: "Journal" });
  const waiting = page.waitForEvent("download");
  await journal.getByRole("button", { name: "Export" }).click();
  const exported = await buffer(await (await waiting).createReadStream());
  await sandbox.reset();
  await expect(shownBalance(page)).toHaveText("KES 1,000.00");

  await journal.getByRole("button", { name: "Import…" }).click();
  await page
    .getByLabel("File to import")
    .setInputFiles({ name: "kredo.json", mimeType: "application/json", buffer: exported });
  await page.getByRole("button", { name: "Replace the journal" }).click();

  await expect(shownBalance(page)).toHaveText("KES 905.00");
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

test("a rotated secret is shown at once, also the one that a scenario puts in its place", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 844 } });
  const { page, sandbox } = session;
  const credentials = page.getByRole("region", { name: "Credentials" });
  await session.visit("account");

  await credentials.getByRole("button", { name: "Rotate…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await expect(credentials).toContainText(/[0-9a-f]{32}/);
  const overflow = await findOverflow(page);
  await expect(page.getByText("The new secret works; the former one gets 401.")).toBeVisible();
  const dismiss = await page.getByRole("button", { name: "Dismiss" }).evaluate((button) => button.clientHeight);
  const { status } = await sandbox.fetch("/api/v2/account-details");
  const timeline = [{ at: "0s", do: { credentials: { secret: "by-scenario" } } }];
  await sandbox.scenario({ version: 1, name: "rotation", timeline });

  await expect(credentials).toContainText("by-scenario");
  expectNow({ status, overflow }).toEqual({ status: 401, overflow: [] });
  // A button of one line.
  expectNow(dismiss).toBeLessThan(32);
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
