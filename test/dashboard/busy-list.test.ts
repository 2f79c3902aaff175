import { text } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { test } from "vitest";
import type { Sandbox } from "../../src/index.ts";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { sendAirtime, sendMany, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

const RICH = { accounts: [{ balance: "10000000" }] };

test("the latest 2,000 requests are listed, a hundred of them in the page; older ones are exported, and opened by their address", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "10000000", callbacks: { sms: "kredo:sink" } }] });
  const { page, sandbox } = session;
  const oldest = await sendSms(sandbox, "254733456789", "The very first one");
  await sendMany(sandbox, 2_499);
  await sandbox.clock.advance("1h");
  await session.visit("requests");
  const table = page.getByRole("table");
  await expect(table).toHaveAttribute("aria-rowcount", "2001", { timeout: 60_000 });
  await expect(page.getByText("2,000 of 2,500 requests; 500 older ones are in the exports")).toBeVisible();
  await expect(
    page.getByText("older ones are in the exports and the control API as far as the journal goes back"),
  ).toBeVisible();

  await page.getByRole("rowgroup", { name: "Requests" }).focus();
  await page.keyboard.press("End");
  await expect(table.getByRole("row", { name: /254 712 000 499/ })).toBeInViewport();
  expect(await table.getByRole("row").count()).toBeLessThan(100);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);

  const lines = (await text(await file.createReadStream())).trimEnd().split("\r\n");
  expect(lines).toHaveLength(1 + 2_500);
  expect(lines.at(-1)).toContain("The very first one");
  session.expectBreach(/404/);
  await session.visit(`requests/${oldest}`);
  await page.getByRole("button", { name: "Resend callback" }).click();
  await expect(page.getByText("Resent: your receiver: 200.")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Callback 2/ })).toBeVisible();
});

test("an order that the list no longer has follows its callbacks, and the journal is read once for it", async () => {
  await using receiver = await startReceiver();
  const callbacks = { sms: receiver.url, timeout: "1s" };
  await using session = await openDashboard({ accounts: [{ balance: "10000000", callbacks }] });
  const { page, sandbox } = session;
  const oldest = await sendSms(sandbox, "254733456789", "The very first one");
  await sendMany(sandbox, 2_000);
  await sandbox.clock.advance("1h");
  session.expectBreach(/404/);
  await session.visit(`requests/${oldest}`);
  await expect(page.getByRole("heading", { name: /^Callback 1/ })).toBeVisible();
  const reads: string[] = [];
  page.on("request", (request) => void (request.url().includes("/events?") && reads.push(request.url())));

  await sandbox.resend(oldest);
  await expect(page.getByRole("heading", { name: /^Callback 2/ })).toBeVisible();
  receiver.hold();
  await page.getByRole("button", { name: "Resend callback" }).click();
  await expect(page.getByText("Resent: your receiver: no answer in 1 s.")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Callback 3/ })).toBeVisible();

  expect(reads).toEqual([]);
});

test("the row under the pointer stays where it is while a hundred requests come, and the list says how many", async () => {
  await using session = await openDashboard(RICH);
  const { page, sandbox } = session;
  await sendMany(sandbox, 40);
  await session.visit("requests");
  const row = page.getByRole("rowgroup", { name: "Requests" }).getByRole("link").nth(5);
  await row.hover();
  const moves = await watchRowUnderPointer(page);

  await sendInTurn(sandbox, 100);
  await expect(page.getByRole("button", { name: "100 new" })).toBeVisible();

  expect(await moves()).toBe(0);
  await page.getByRole("button", { name: "100 new" }).click();
  await expect(page.getByRole("button", { name: /new$/ })).toHaveCount(0);
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "141");
  await expect(page.getByRole("rowgroup", { name: "Requests" })).toBeFocused();
});

test("a list goes on when the pointer and the focus have left it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("requests");
  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("link");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("j");
  await expect(rows.first()).toBeFocused();

  await sendAirtime(sandbox, "254733456789", "100");
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await page.getByRole("searchbox").focus();

  await expect(rows).toHaveCount(2);
});

test("rows that change go on changing while the list is frozen, and none of them leaves it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254733456789", "100");
  await session.visit("requests?problem=pending");
  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("link");
  await expect(rows).toHaveCount(2);
  await rows.first().hover();

  await sandbox.settle(await sendAirtime(sandbox, "254770000001", "100"));
  await sandbox.clock.advance("0s");
  await expect(page.getByRole("button", { name: "Pending 2" })).toBeVisible();

  await expect(rows).toHaveCount(2);
});

test("the list is found again where it was left, after another view", async () => {
  await using session = await openDashboard(RICH);
  const { page, sandbox } = session;
  await sendMany(sandbox, 200);
  await session.visit("requests");
  const list = page.getByRole("rowgroup", { name: "Requests" });
  await list.evaluate((element) => element.scrollTo({ top: 1_200 }));
  await expect(page.getByRole("row").nth(10)).toHaveAttribute("aria-rowindex", /^(?:[3-9]\d)$/);
  const before = await page.getByRole("row").nth(10).getAttribute("aria-rowindex");

  await page.keyboard.type("ga");
  await expect(page.getByRole("heading", { level: 1, name: "Account" })).toBeVisible();
  await sendMany(sandbox, 12);
  await page.keyboard.type("gr");

  await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBe(1_200);
  await expect(page.getByRole("button", { name: "12 new" })).toBeVisible();
  await expect(page.locator(`[aria-rowindex="${before}"]`)).toBeVisible();
});

test("every cell of a row follows its order, whose number and place stay the same", async () => {
  await using session = await openDashboard({ accounts: [{ callbacks: { airtime: "kredo:sink" } }] });
  const { page, sandbox } = session;
  const requestId = await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("requests");
  const cells = page.getByRole("rowgroup", { name: "Requests" }).getByRole("cell");
  await expect(cells).toHaveText(["200", "pending", "", /712 345 678/, "Airtime KES 100.00", "95.00 held", "", /./]);

  await sandbox.settle(requestId);

  await expect(cells).toHaveText(["200", "sold", "delivered", /712/, "Airtime KES 100.00", "95.00", "", /./]);
});

test("new rows are drawn without measuring the page, which would lay it out once more in each frame", async () => {
  await using session = await openDashboard(RICH);
  const { page, sandbox } = session;
  await sendMany(sandbox, 100);
  await session.visit("requests");
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "101");
  const measured = await page.evaluateHandle(() => {
    const counted = { measures: 0 };
    const measure = Reflect.get(Element.prototype, "getBoundingClientRect");
    Element.prototype.getBoundingClientRect = function () {
      counted.measures += 1;
      return Reflect.apply(measure, this, []);
    };
    return counted;
  });

  await sendInTurn(sandbox, 20);
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "121");

  expect(await measured.evaluate(({ measures }) => measures)).toBe(0);
});

test("neither a busy list nor the header speaks: only a change of the filter is announced", async () => {
  await using session = await openDashboard(RICH);
  const { page, sandbox } = session;
  await sendMany(sandbox, 3);
  await session.visit("requests");
  await expect(page.getByRole("link", { name: /^Pending/ })).toHaveCount(3);
  const spoken = await watchLiveRegions(page);

  await sendInTurn(sandbox, 20);
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "24");
  expect(await spoken()).toEqual([]);
  await page.getByRole("button", { name: /^Pending/ }).click();

  await expect.poll(spoken).toEqual(["23 requests found"]);
});

/** Counts how often the row under the pointer is another one than before, or stands elsewhere. */
async function watchRowUnderPointer(page: Page): Promise<() => Promise<number>> {
  const watched = await page.evaluateHandle(() => {
    const row = document.querySelector(".table-row:hover");
    const place = (): string => `${row?.getBoundingClientRect().top} ${row?.textContent.slice(0, 40)}`;
    const state = { last: place(), moves: 0 };
    const look = (): void => {
      const now = place();
      if (now !== state.last) state.moves += 1;
      state.last = now;
      requestAnimationFrame(look);
    };
    look();
    return state;
  });
  return () => watched.evaluate(({ moves }) => moves);
}

/** What screen readers are told from now on. */
async function watchLiveRegions(page: Page): Promise<() => Promise<readonly string[]>> {
  const said = await page.evaluateHandle(() => {
    const said: string[] = [];
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest("[role=status], [role=alert], [aria-live]");
        if (region) said.push(region.textContent);
      }
    }).observe(document.body, { characterData: true, childList: true, subtree: true });
    return said;
  });
  return () => said.jsonValue();
}

async function sendInTurn(sandbox: Sandbox, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await sendAirtime(sandbox, String(254_722_000_000 + sent), "5");
}
