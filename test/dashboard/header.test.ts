import type { Page } from "@playwright/test";
import { test } from "vitest";
import { startReceiver } from "./receiver.ts";
import { shownBalance } from "./shown-balance.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("shows whose account it is, what it can spend and what its clock shows, and follows the money", async () => {
  await using session = await openDashboard();
  await session.visit();
  const { page, sandbox } = session;
  const top = page.getByRole("banner");
  await expect(top.getByLabel("Account")).toHaveValue("sandbox-key");
  await expect(shownBalance(page)).toHaveText("KES 10,000.00");
  await expect(top.getByRole("button", { name: /^Clock:/ })).toHaveText("Clock: 09:00:00 manual");

  await sendAirtime(sandbox, "254712345678", "100");

  await expect(shownBalance(page)).toHaveText("KES 9,905.00");
});

test("names the profile of the gateway that runs, and explains it", async () => {
  await using session = await openDashboard({ profile: "observed" });

  await session.visit();

  const profile = session.page.getByRole("banner").getByTitle("The gateway answers as the live gateway was seen to");
  await expect(profile).toHaveText("The gateway answers as observed");
});

test.for([1280, 1440])(
  "at %d pixels all of the header stands in one line, and nothing below the name",
  async (width) => {
    await using session = await openDashboard({ clock: { mode: "real" } }, { viewport: { width, height: 800 } });
    await session.visit();
    const header = session.page.getByRole("banner");
    await expect(header.getByText("as documented")).toBeInViewport({ ratio: 1 });

    const middles = await header.locator("a, button, select, .badge").evaluateAll((all) =>
      all
        .map((one) => one.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top, bottom }) => (top + bottom) / 2),
    );

    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(2);
  },
);

test("on a telephone the header has two lines, and the account and the profile are behind its last button", async () => {
  await using session = await openDashboard(
    { accounts: [{ balance: "1000000" }] },
    { viewport: { width: 390, height: 844 } },
  );
  const { page } = session;
  await session.visit();
  const header = page.getByRole("banner");
  const controls = [
    ...["Send…", "Fail next…", /^KES 1,000,000\.00$/, /^Clock/, "Settings"].map((name) =>
      header.getByRole("button", { name }),
    ),
    ...["Requests", "Failures", "Verdict", "Account"].map((name) => header.getByRole("link", { name })),
  ];

  for (const control of controls) await expect(control).toBeInViewport({ ratio: 1 });
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(88);
  await header.getByRole("button", { name: "Settings" }).click();

  await expect(header.getByLabel("Account", { exact: true })).toHaveValue("sandbox-key");
  await expect(header.getByText("The gateway answers as its specification says (profile document).")).toBeVisible();
});

test.for([390, 768, 1024, 1280, 1440])(
  "at %d pixels popovers stand at their buttons, wholly on the screen",
  async (width) => {
    await using session = await openDashboard({}, { viewport: { width, height: 640 } });
    const { page } = session;
    await session.visit();
    await expect(shownBalance(page)).toBeVisible();

    const places = [
      await placeOf(page, "Fail next…", "Fail next request"),
      await placeOf(page, /^KES/, "Balance"),
      await placeOf(page, "Settings", "Settings"),
    ];

    expect(places).toEqual(places.map(() => ({ below: 4, isBeside: true })));
  },
);

/** Opens a popover, which must be on the screen, and answers how many pixels below its button it is, and whether they meet. */
async function placeOf(page: Page, name: string | RegExp, title: string): Promise<object> {
  const button = page.getByRole("banner").getByRole("button", { name });
  await button.click();
  const popover = page.getByRole("dialog", { name: title });
  await expect(popover).toBeInViewport({ ratio: 1 });
  const opener = await button.evaluate((one) => one.getBoundingClientRect().toJSON());
  const opened = await popover.evaluate((one) => one.getBoundingClientRect().toJSON());
  await page.keyboard.press("Escape");
  return {
    below: opened.top - opener.bottom,
    isBeside: opened.left <= opener.right && opened.right >= opener.left,
  };
}

test("switches to another account and keeps it in the address", async () => {
  await using session = await openDashboard();
  await session.sandbox.account({ consumer_key: "second-key", balance: "77" });
  await session.visit("account");

  await session.page.getByRole("banner").getByLabel("Account").selectOption("second-key");

  await expect(shownBalance(session.page)).toHaveText("KES 77.00");
  await expect(session.page).toHaveURL(/#\/account\?account=second-key$/);
});

test("an account that was opened elsewhere is in the list, and long keys can be told apart", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  const shown = page.getByRole("banner").getByLabel("Account");
  await expect(shown).toHaveValue("sandbox-key");

  await sandbox.account({ consumer_key: "integration-tests-of-the-shop-worker-1" });
  await sandbox.account({ consumer_key: "integration-tests-of-the-shop-worker-2" });

  await expect(shown.getByRole("option")).toHaveText([
    "sandbox-key",
    "integrati…-shop-worker-1",
    "integrati…-shop-worker-2",
  ]);
});

test("the balance is topped up and set; a mistake stands at its field, and one notice is shown at a time", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 422/);
  const { page } = session;
  await session.visit();
  await shownBalance(page).click();
  const balance = page.getByRole("dialog", { name: "Balance" });

  await balance.getByLabel("Top up, KES").fill("1,500");
  await page.keyboard.press("Enter");
  await expect(shownBalance(page)).toHaveText("KES 11,500.00");
  await balance.getByLabel("Set what is available, KES").fill("nothing");
  await page.keyboard.press("Enter");
  await expect(balance.getByRole("alert").filter({ hasText: "nothing" })).toHaveCount(1);
  await balance.getByLabel("Set what is available, KES").fill("20");
  await page.keyboard.press("Enter");

  await expect(shownBalance(page)).toHaveText("KES 20.00");
  await expect(page.getByRole("status").filter({ hasText: "KES" })).toHaveText(/^KES 20\.00 is available/);
});

test("an order that is sent is a row in Requests, opened", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 402/);
  const { page } = session;
  await session.sandbox.wallet.set("10");
  await session.visit("account");

  await page.getByRole("button", { name: "Send…" }).click();
  await page.getByLabel("Amount in KES").fill("20");
  await expect(page.getByRole("region", { name: "Price" })).toContainText(
    "The gateway would answer 402: Insufficient funds.",
  );
  await page.getByLabel("Amount in KES").fill("99999");
  await expect(page.getByRole("region", { name: "Price" })).toHaveText(/^The gateway would answer 422/);
  await page.getByLabel("Amount in KES").fill("20");
  await page.getByRole("button", { name: "Send airtime" }).click();

  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toContainText("402");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("[role=row].open")).toContainText("402");
});

test("an order whose answer a scenario withholds opens at once", async () => {
  await using session = await openDashboard();
  session.expectBreach(/ERR_|Failed to fetch/);
  const { page } = session;
  await session.visit();

  await page.getByRole("button", { name: "Fail next…" }).click();
  await page.getByRole("link", { name: "All faults" }).click();
  await page.getByRole("button", { name: "Fail next request: hang-after-accept" }).click();
  await expect(page.getByRole("banner").getByText("Next request: the answer never arrives")).toBeVisible();
  await page.getByRole("button", { name: "Send…" }).click();
  await page.getByRole("button", { name: "Send airtime" }).click();

  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeVisible();
});

test("the page's own orders are nobody's backend: no finding, and no callback in the title", async () => {
  await using session = await openDashboard({
    accounts: [{ callbacks: { airtime: "http://127.0.0.1:9/hooks", sms: "http://127.0.0.1:9/hooks" } }],
  });
  const { page, sandbox } = session;
  await session.visit();
  session.expectBreach(/ERR_|Failed to fetch/);
  const loseAnswer = async (): Promise<void> => {
    await page.getByRole("button", { name: "Fail next…" }).click();
    await page.getByRole("button", { name: "Answer lost" }).click();
    await expect(page.getByText("Next request: answer lost")).toBeVisible();
    await page.getByRole("button", { name: "Send…" }).click();
    await page.getByRole("button", { name: "Send airtime" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };

  await loseAnswer();
  await loseAnswer();
  await sandbox.clock.advance("2h");
  await session.visit("requests");
  await expect(page.getByRole("rowgroup", { name: "Requests" })).toContainText("nothing listening");
  await expect(page).toHaveTitle("Requests · Kredo");
  await expect(page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Verdict" })).toHaveText(
    "Verdict",
  );
  await sendAirtime(sandbox, "254733456789", "100");
  await sandbox.clock.advance("2h");

  await expect(page).toHaveTitle("(1) Requests · Kredo");
});

test("encoding, parts and price follow what is written", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit();
  await page.getByRole("button", { name: "Send…" }).click();
  await page.getByRole("button", { name: "SMS", exact: true }).click();
  const message = page.getByLabel("Message");
  const price = page.getByRole("region", { name: "Price" });

  await message.fill("Habari");
  await expect(price).toContainText(/GSM-7.*Parts1.*KES 0\.80/s);
  await message.pressSequentially(" 🚚");
  await expect(price).toContainText(/UCS-2.*Parts1.*KES 0\.80/s);
  await message.fill("x".repeat(161));

  await expect(price).toContainText(/GSM-7.*Characters161.*Parts2.*KES 1\.60/s);
});

test("two clicks fail the next request; what it met is one click away, and the fault is gone from later answers", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await page.getByRole("button", { name: "Fail next…" }).click();
  await page.getByRole("button", { name: "Refused 429" }).click();
  await expect(page.getByText("Next request: refused 429")).toBeVisible();
  await sendAirtime(sandbox, "254712345678", "100");
  const show = page.getByRole("status").filter({ hasText: "Refused 429: show request" });
  await show.getByRole("link").click();
  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toContainText("429");

  await expect(show).toHaveCount(0);
  await expect.poll(async () => (await sandbox.scenarios()).map(({ name }) => name)).not.toContain("refused-429");
});

test("the request that a fault met is named until it is dismissed", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  await page.getByRole("button", { name: "Fail next…" }).click();
  await page.getByRole("button", { name: "Refused 429" }).click();
  await expect(page.getByText("Next request: refused 429")).toBeVisible();
  await sendAirtime(sandbox, "254712345678", "100");

  await page.getByRole("button", { name: "Dismiss Refused 429" }).click();

  await expect(page.getByText("show request")).toHaveCount(0);
});

test.for([390, 768, 1024, 1280, 1440])(
  "at %d pixels nothing in the header moves for what waits for a request",
  async (width) => {
    await using session = await openDashboard(
      { accounts: [{ consumer_key: "integration-tests-of-the-shop-worker-1", balance: "1000000" }] },
      { viewport: { width, height: 800 } },
    );
    const { page, sandbox } = session;
    await session.visit();
    const header = page.getByRole("banner");
    const places = (): Promise<unknown> =>
      header
        .locator(".bar :is(.brand, nav, button[title]:not([role=status] *), select)")
        .evaluateAll((all) => all.map((one) => ({ ...one.getBoundingClientRect().toJSON() })));
    await expect(header.getByRole("button", { name: "Fail next…" })).toBeEnabled();
    await expect(shownBalance(page)).toHaveText("KES 1,000,000.00");
    const before = await places();

    await page.getByRole("button", { name: "Fail next…" }).click();
    await page.getByRole("button", { name: "Contradicting callback" }).click();
    await expect(page.getByRole("button", { name: "Cancel contradicting callback" })).toBeInViewport({ ratio: 1 });
    const waiting = await places();
    await sendAirtime(sandbox, "254712345678", "100");
    await sandbox.clock.advance("1h");
    await sandbox.wallet.set("1000000");
    await expect(page.getByRole("button", { name: "Dismiss Contradicting callback" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("link", { name: "show request" })).toBeInViewport({ ratio: 1 });
    await expect(shownBalance(page)).toHaveText("KES 1,000,000.00");
    const met = await places();
    await page.getByRole("button", { name: "Fail next…" }).click();
    await page.getByRole("button", { name: "Late callback" }).click();
    await page.getByRole("button", { name: "Fail next…" }).click();
    await page.getByRole("button", { name: "Answer lost" }).click();
    await expect(page.getByRole("link", { name: "1 other fault waiting" })).toBeInViewport({ ratio: 1 });

    expect({ waiting, met, more: await places() }).toEqual({ waiting: before, met: before, more: before });
  },
);

test("a fault waits for one number and several requests, and is cancelled", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await page.getByRole("button", { name: "Fail next…" }).click();
  await page.getByLabel("Only this number").fill("0733 456 789");
  await page.getByLabel("How many requests").fill("3");
  await page.getByRole("button", { name: "No callback" }).click();
  await expect(page.getByText("Next 3 requests to 254733456789: no callback")).toBeVisible();
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254733456789", "100");
  await expect(page.getByText("Next 2 requests to 254733456789: no callback")).toBeVisible();
  await page.getByRole("button", { name: "Cancel no callback" }).click();

  await expect(page.getByText(/requests .*: no callback/)).toHaveCount(0);
  expect((await sandbox.scenarios()).map(({ name }) => name)).toEqual(["magic-numbers"]);
});

test("what is pending stands on the line as soon as its row does, and Advance makes it happen in order", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  await session.visit();
  await expect(page.getByText("Nothing is pending.")).toBeVisible();

  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254733456789", "200");
  await expect(page.getByRole("slider")).toHaveAttribute("aria-valuemax", "2");
  await page.getByRole("button", { name: "Advance until nothing is pending" }).click();

  await expect(page.getByText("2 callbacks were sent.")).toBeVisible();
  await expect(page.getByText("Nothing is pending.")).toBeVisible();
  expect(receiver.bodies.map((body) => JSON.parse(body).phone_number)).toHaveLength(2);
});

test("dragging along the line to a tick advances the clock to it, and so does Enter", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario({
    version: 1,
    name: "slow",
    rules: [{ name: "slow", when: { amount: "200" }, then: { result: { delay: "1h" } } }],
  });
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254712345678", "200");
  await session.visit();
  const line = page.getByRole("slider");
  await expect(line).toHaveAttribute("aria-valuemax", "2");

  await line.focus();
  await page.keyboard.press("Enter");
  await expect(line).toHaveAttribute("aria-valuemax", "1");
  const { x = 0, y = 0, width = 0 } = (await line.boundingBox()) ?? {};
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  await page.mouse.move(x + width - 5, y + 5);
  await page.mouse.up();

  await expect(page.getByText("Nothing is pending.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Clock:/ })).toHaveText("Clock: 10:00:00 manual");
});

test("a clock that follows real time is stopped and advanced by 10 minutes with two clicks", async () => {
  await using session = await openDashboard({ clock: { mode: "real" } });
  const { page } = session;
  await session.visit();

  await page.getByRole("button", { name: /^Clock:/ }).click();
  await expect(page.getByText("This clock follows real time.")).toBeVisible();
  await page.getByRole("button", { name: "Advance by 10 min" }).click();

  await expect(page.getByRole("button", { name: /^Clock:/ })).toContainText("manual");
  await expect(page.getByText(/^It is /)).toBeVisible();
});

test("the clock runs faster when that is chosen", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit();

  await page.getByLabel("Speed of the clock").selectOption("60 times");

  await expect(page.getByText("This clock runs 60 times as fast.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Clock:/ })).toContainText("×60");
});

test("a button that waits for receivers keeps the focus", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.hold();
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit();
  const button = page.getByRole("button", { name: "Advance by 1 min" });

  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toBeFocused();
  receiver.release();
  await expect(page.getByText("1 callback was sent.")).toBeVisible();

  await expect(button).toBeFocused();
});

test("times are shown in Nairobi or in UTC, by day or by night, and the choice stays", async () => {
  await using session = await openDashboard({}, { colorScheme: "light" });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit();
  const row = page.getByRole("row", { name: /254 712 345 678/ });
  await expect(row).toContainText("09:00:00");

  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Times", exact: true }).selectOption("UTC");
  await page.getByLabel("Theme").selectOption("dark");
  await page.reload();

  await expect(row).toContainText("06:00:00");
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(15, 21, 18)");
});
