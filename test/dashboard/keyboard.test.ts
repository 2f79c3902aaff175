import type { Page } from "@playwright/test";
import { test as plainTest } from "vitest";
import { startReceiver } from "./receiver.ts";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { sendAirtime, sendMany } from "./traffic.ts";
import { expect } from "./visitor.ts";

/** In an order in which each of them goes somewhere else. */
const KEYS = [
  ["f", "Failures"],
  ["v", "Verdict"],
  ["a", "Account"],
  ["r", "Requests"],
] as const;

/** One reader for all the ways that begin with g. */
const test = plainTest.extend<{ reader: DashboardSession }>({
  reader: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing
    async ({}, use) => {
      await using session = await openDashboard();
      await session.visit();
      await use(session);
    },
    { scope: "file" },
  ],
});

test("the first Tab stop skips to the view", async () => {
  await using session = await openDashboard();
  await session.visit("account");
  const { page } = session;
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the view" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to the view" })).toBeInViewport();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("main")).toBeFocused();
  await expect(page).toHaveURL(/#\/account$/);
});

test.for(KEYS)("g and %s go to %s", async ([key, title], { reader }) => {
  const { page } = reader;
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();

  await page.keyboard.press("g");
  await page.keyboard.press(key);

  await expect(page.getByRole("heading", { level: 1, name: title })).toBeAttached();
  await expect(page.getByRole("navigation", { name: "Views" }).locator("[aria-current=page]")).toHaveText(title);
});

test("a question mark lists the keys, Escape closes the list", async () => {
  await using session = await openDashboard();
  await session.visit();
  const { page } = session;
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
  const keys = page.getByRole("dialog", { name: "Keys" });

  await page.keyboard.press("?");
  await expect(keys.getByRole("row", { name: "go to Account" })).toHaveText("g a go to Account");
  await page.keyboard.press("Escape");

  await expect(keys).toBeHidden();
});

test("a whole job by keyboard: send, advance, read, and back to the rows", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ sms: receiver.url });
  await session.visit();
  await expect(page.getByRole("button", { name: "Send…" })).toBeVisible();

  await tabTo(page, "Send…");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Phone number")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("button", { name: "SMS" })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, "Message");
  await page.keyboard.type("Habari");
  await tabTo(page, "Send SMS");
  await page.keyboard.press("Enter");
  const opened = page.getByRole("region", { name: "SMS to +254 712 345 678" });
  await expect(opened).toBeVisible();
  await page.getByRole("link", { name: "Skip to the view" }).focus();
  await tabTo(page, "Advance by 1 min");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 callback was sent.")).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(opened).toHaveCount(0);
  expect(receiver.bodies).toHaveLength(1);
});

/** The regions that Tab walks through, in their order. */
const REGIONS = [".skip", ".top", "main .view, main > .empty", ".inspector"];

test.for(["requests", "failures", "verdict", "account", "nowhere"])(
  "Tab walks %s from the header to the view, and each stop shows that it has the focus",
  async (view) => {
    await using session = await openDashboard({ accounts: [{ balance: "1000000" }] });
    await sendMany(session.sandbox, 3);
    await session.visit(view);
    await expect(session.page.getByRole("heading", { level: 1 })).toBeAttached();

    const stops = await walkByTab(session.page);

    expectWalk(stops, [0, 1, 2]);
  },
);

test("Tab walks on from the rows to the inspector's button and its tabs", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "1000000" }] });
  const requestId = await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit(`requests/${requestId}`);
  await expect(session.page.getByRole("tab", { name: "Timeline" })).toBeVisible();
  await session.page.getByRole("link", { name: "Skip to the view" }).focus();

  const stops = await walkByTab(session.page);

  expectWalk(stops, [1, 2, 3]);
  expect(stops.filter(({ region }) => region >= 3).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Close", "Timeline"]),
  );
});

test("s opens the order at its first field, so that a number is typed at once", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("account");
  await expect(page.getByRole("button", { name: "Send…" })).toBeVisible();

  await page.keyboard.press("s");
  await expect(page.getByLabel("Phone number")).toBeFocused();
  await page.keyboard.type("254733456789");

  await expect(page.getByLabel("Phone number")).toHaveValue("254733456789");
});

test("f and Enter fail the next request in the first way, and the arrow keys choose another", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendMany(sandbox, 3);
  await session.visit("requests");
  await expect(page.getByRole("row", { name: /254 712/ }).first()).toBeVisible();
  const faults = page.getByRole("group", { name: "Common faults" });

  await page.keyboard.press("f");
  await expect(faults.getByRole("button", { name: "Answer lost" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Next request: answer lost")).toBeVisible();
  await page.keyboard.press("f");
  await expect(faults.getByRole("button", { name: "Answer lost" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(faults.getByRole("button", { name: "Refused 429" })).toBeFocused();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("status").getByText("Next request: refused 429")).toBeVisible();
  await expect(page.getByRole("row").getByRole("link").and(page.locator(":focus"))).toHaveCount(0);
});

test("closing a dialog or a popover returns the focus to the button that opened it", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("account");

  await page.getByRole("button", { name: "Reset…" }).press("Enter");
  await expect(page.getByRole("dialog", { name: /^Reset/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Reset…" })).toBeFocused();
  await page.getByRole("button", { name: "Drop this one…" }).press("Enter");
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(page.getByRole("button", { name: "Drop this one…" })).toBeFocused();
  await page.getByRole("button", { name: "Send…" }).press("Enter");
  await page.getByRole("dialog", { name: "Send" }).getByRole("button", { name: "Close" }).press("Enter");
  await expect(page.getByRole("button", { name: "Send…" })).toBeFocused();
  await page.getByRole("button", { name: "Fail next…" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Fail next request" })).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByRole("button", { name: "Fail next…" })).toBeFocused();
});

interface Stop {
  readonly name: string;
  /** Its place among the regions; -1 outside of them. */
  readonly region: number;
  readonly showsFocus: boolean;
}

/** Presses Tab until it comes to the first stop again, or leaves the page. */
async function walkByTab(page: Page, stops: readonly Stop[] = []): Promise<readonly Stop[]> {
  await page.keyboard.press("Tab");
  const stop = await page.evaluate(describeFocus, REGIONS);
  if (stop === undefined || (stops.length > 0 && stop.region === 0)) return stops;
  if (stops.length > 200) throw new Error(`Tab does not come to an end: ${stop.name}`);
  return walkByTab(page, [...stops, stop]);
}

function describeFocus(regions: readonly string[]): Stop | undefined {
  const { activeElement: focused } = document;
  if (focused === null || focused === document.body) return undefined;
  const style = [getComputedStyle(focused), getComputedStyle(focused, "::after")];
  const { top, bottom, width } = focused.getBoundingClientRect();
  const hasOutline = style.some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && outlineWidth !== "0px");
  return {
    name: focused.getAttribute("aria-label") ?? focused.textContent.trim(),
    region: regions.findLastIndex((selector) => focused.closest(selector) !== null),
    showsFocus: hasOutline && width > 0 && bottom > 0 && top < innerHeight,
  };
}

function expectWalk(stops: readonly Stop[], regions: readonly number[]): void {
  const walked = stops.map(({ region }) => region);
  expect(walked).toEqual(walked.toSorted((one, other) => one - other));
  expect([...new Set(walked)]).toEqual(regions);
  expect(stops.filter(({ showsFocus }) => !showsFocus)).toEqual([]);
}

/** Presses Tab until that has the focus. */
async function tabTo(page: Page, name: string, presses = 40): Promise<void> {
  await page.keyboard.press("Tab");
  // What stands in a region that has the focus does not have it.
  const [focused = ""] = (await page.locator(":focus").ariaSnapshot()).split("\n");
  if (focused.includes(` "${name}"`)) return;
  if (presses === 0) throw new Error(`Tab never comes to "${name}"; the last was ${focused}`);
  await tabTo(page, name, presses - 1);
}
