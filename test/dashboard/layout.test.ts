import type { Route } from "@playwright/test";
import { test } from "vitest";
import type { Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { openDashboard } from "./dashboard-session.ts";
import { findOverflow } from "./find-overflow.ts";
import { startReceiver } from "./receiver.ts";
import { postTo, sendAirtime, sendMany, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("at 1024 pixels at most 200 of them lie above the first row, and its operation is in view", async () => {
  await using session = await openDashboard(
    { accounts: [{ balance: "100000", callbacks: { airtime: "kredo:sink", sms: "kredo:sink" } }] },
    { viewport: { width: 1024, height: 768 } },
  );
  await sendMany(session.sandbox, 2);
  await session.visit("requests");
  const row = session.page.getByRole("rowgroup", { name: "Requests" }).getByRole("row").first();
  await expect(row).toBeVisible();

  const above = (await row.boundingBox())?.y ?? Infinity;

  console.log(`${above} pixels above the first row`);
  expect(above).toBeLessThanOrEqual(200);
  await expect(row.getByText("Airtime")).toBeInViewport({ ratio: 1 });
  expect(await findOverflow(session.page)).toEqual([]);
});

test("rows do not move when somebody sends an unknown key", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("requests");
  const row = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row").first();
  await expect(row).toBeVisible();
  const before = await row.boundingBox();

  await expect(page.getByRole("link", { name: "Add a callback URL to get results" })).toBeVisible();
  await postTo({ url: sandbox.url, consumerKey: "sandbox-kye", consumerSecret: "x" }, "/api/v2/airtime", {});
  await expect(page.getByText("1 request with an unknown key")).toBeInViewport();

  expect(await row.boundingBox()).toEqual(before);
});

test("the library does not move when the active scenarios above it are loaded", async () => {
  await using session = await openDashboard({ scenarios: ["callback-never"] });
  const { page } = session;
  const held = new Promise<Route>((resolve) => void page.route(/\/accounts\/[^/]*\/scenarios$/, resolve));
  await session.visit("failures");

  const route = await held;
  await expect(page.getByRole("main").getByText("Loading…")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Library" })).toHaveCount(0);
  await route.continue();

  await expect(page.getByRole("article", { name: "callback-never" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Library" })).toBeVisible();
});

test.each([390, 1440])("a message without a space, and the choices above the rows, fit %i pixels", async (width) => {
  await using session = await openDashboard({}, { viewport: { width, height: 844 } });
  const { page, sandbox } = session;
  const requestId = await sendSms(sandbox, "254712345678", "x".repeat(400));
  await sendMany(sandbox, 100);
  await session.visit("requests");
  await expect(page.getByRole("searchbox")).toBeInViewport({ ratio: 1 });
  await session.visit(`requests/${requestId}`);
  await expect(page.getByRole("list", { name: "Parts" })).toContainText("x");

  expect(await findOverflow(page)).toEqual([]);
});

test("on a telephone eight whole orders of an afternoon are on the first screen, and one list has all filters", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard(AFTERNOON, { viewport: { width: 390, height: 844 } });
  await playAfternoon(session.sandbox, receiver);
  await session.visit("requests");
  const rows = session.page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
  await expect(rows.first()).toBeVisible();

  const list = await session.page.getByRole("rowgroup", { name: "Requests" }).boundingBox();
  const bottoms = await session.page
    .locator(".request:not(.part)")
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
  const inSight = bottoms.filter((bottom) => bottom <= (list?.y ?? 0) + (list?.height ?? 0));
  await session.page.getByRole("combobox", { name: "Filter" }).selectOption("sold-twice");

  expect(inSight.length).toBeGreaterThanOrEqual(8);
  await expect(rows.first()).toContainText("no answer ×2 · sold twice");
  await expect(rows).toHaveCount(3);
  await expect(session.page.getByRole("combobox", { name: "Filter" })).toHaveValue("sold-twice");
  await expect(session.page.getByRole("button", { name: /^Lost answer/ })).toBeHidden();
});

test("on a telephone a row whose callback failed says so in its first line, and opens its order", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 844 } });
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: "http://127.0.0.1:9/hooks" });
  const requestId = await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("5s");
  await session.visit("requests");
  const row = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");

  await expect(row.getByText("nothing listening", { exact: true })).toBeInViewport({ ratio: 1 });
  await row.getByRole("link").click();

  await expect(page).toHaveURL(new RegExp(requestId));
});

test.for([
  [768, "", ["What"], [/Airtime KES 100/]],
  [1024, "open", [], []],
] as const)("at %d pixels the rows are a table with fewer columns (%s)", async ([width, opened, heads, cells]) => {
  await using session = await openDashboard({}, { viewport: { width, height: 768 } });
  const { page, sandbox } = session;
  const requestId = await sendAirtime(sandbox, "254712345678", "100");

  await session.visit(opened === "" ? "requests" : `requests/${requestId}`);

  const table = page.getByRole("table", { name: "Requests, newest first" });
  await expect(table.getByRole("columnheader")).toHaveText(["You got", "Told", "To", ...heads, "Cost", "Time"]);
  await expect(table.getByRole("cell")).toHaveText(["200", "pending", /712 345 678/, ...cells, "95.00 held", /./]);
  expect((await table.getByRole("row").nth(1).boundingBox())?.height).toBe(36);
  expect(await findOverflow(page)).toEqual([]);
});

test.for([
  [390, ""],
  [768, ""],
  [1024, ""],
  [1024, "open"],
  [1440, ""],
  [1440, "open"],
] as const)("at %d pixels a double sale says whole what was given for what was asked (%s)", async ([width, opened]) => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] }, { viewport: { width, height: 800 } });
  const { page, sandbox } = session;
  const requestId = await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254700000602", "75").catch(() => "");
  await sendAirtime(sandbox, "254700000602", "75").catch(() => "");
  await sandbox.clock.advance("5s");
  await session.visit(opened === "" ? "requests" : `requests/${requestId}`);
  const row = page.getByRole("row", { name: /sold twice/ });
  await expect(row).toBeVisible();

  const cut = await row
    .getByRole("cell")
    .filter({ hasText: /sold twice|given for/ })
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    );

  await expect(row.getByText("KES 150.00 given for KES 75.00 asked")).toBeVisible();
  expect(cut).toEqual([]);
});

test.for([390, 768, 1024, 1440])("at %d pixels the search field has a line of its own", async (width) => {
  await using session = await openDashboard({}, { viewport: { width, height: 800 } });
  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("requests");
  const field = session.page.getByRole("searchbox");
  await expect(field).toBeVisible();

  const [search, table] = [
    await field.boundingBox(),
    await session.page.getByRole("table", { name: "Requests, newest first" }).boundingBox(),
  ];

  expect(search?.width).toBe(table?.width);
});

test.for([1024, 1280, 1440])("at %d pixels no column of the requests has a clipped title", async (width) => {
  await using session = await openDashboard(
    { accounts: [{ balance: "100000" }] },
    { viewport: { width, height: 800 } },
  );
  await sendMany(session.sandbox, 2);
  await session.visit("requests");
  const titles = session.page.getByRole("table", { name: "Requests, newest first" }).getByRole("columnheader");
  await expect(titles).toHaveCount(8);

  const clipped = await titles.evaluateAll((all) =>
    all.filter((title) => title.scrollWidth > title.clientWidth).map((title) => title.textContent),
  );

  expect(clipped).toEqual([]);
});

test("at 1024 pixels what the receiver was told is whole, at least in its title, and the account's name", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard(
    { scenarios: ["magic-numbers"], accounts: [{ callbacks: { airtime: receiver.url } }] },
    { viewport: { width: 1024, height: 768 } },
  );
  const { page, sandbox } = session;
  for (const last of ["305", "306", "307", "309"]) await sendAirtime(sandbox, `254700000${last}`, "50");
  await sandbox.clock.advance("1m");
  await session.visit("requests");
  const rows = page.getByRole("rowgroup", { name: "Requests" });
  await expect(rows.getByText("wrong type: text/plain")).toBeVisible();

  const cut = await page
    .locator("[data-label=Told]")
    .evaluateAll((all) =>
      all.filter((one) => one.scrollHeight > one.clientHeight || one.getAttribute("title") !== one.textContent),
    );
  const account = await page.getByLabel("Account", { exact: true }).boundingBox();

  expect(cut).toEqual([]);
  expect(account?.width).toBeGreaterThanOrEqual(120);
});

test("the row that is opened stays in view when the inspector leaves the rows less width", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "100000" }] });
  await sendMany(session.sandbox, 40);
  await session.visit("requests");
  const { page } = session;

  await page.getByRole("rowgroup", { name: "Requests" }).getByRole("link").nth(11).click();

  await expect(page.locator(".inspector")).toBeVisible();
  await expect(page.locator(".request.open")).toBeInViewport();
});

test("rows are as wide as their table while there is nothing to scroll", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "100000" }] });
  await sendMany(session.sandbox, 2);
  await session.visit("requests");
  const rows = session.page.getByRole("rowgroup", { name: "Requests" });
  await expect(rows.getByRole("row").nth(1)).toBeVisible();

  const row = await rows.getByRole("row").first().boundingBox();
  const table = await session.page.getByRole("table", { name: "Requests, newest first" }).boundingBox();

  expect((table?.width ?? 0) - (row?.width ?? 0)).toBeLessThanOrEqual(2);
});

test("each view opens at its top, wherever the last one was scrolled to", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 500 } });
  const { page } = session;
  await session.visit("account");
  await expect(page.getByRole("heading", { name: "Sender IDs" })).toBeAttached();
  await page.getByRole("main").evaluate((main) => main.scrollTo(0, 400));

  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Failures" }).click();
  await expect(page.getByRole("heading", { name: "Library" })).toBeAttached();

  expect(await page.getByRole("main").evaluate((main) => main.scrollTop)).toBe(0);
});

test("browsers that ask for /favicon.ico get the icon", async () => {
  await using session = await openDashboard();

  const answer = await fetch(`${session.sandbox.url}/favicon.ico`);

  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/svg+xml");
});

test("steady traffic redraws the page at most ten times a second", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "100000" }] });
  await session.visit("account");
  const balance = session.page.getByRole("banner").getByTitle("Available balance").locator("strong");
  await expect(balance).toHaveText("100,000.00");
  const moments = await balance.evaluateHandle((strong) => {
    const moments: number[] = [];
    new MutationObserver(() => moments.push(performance.now())).observe(strong, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return moments;
  });

  await sendInTurn(session.sandbox, 150);
  await expect(balance).toHaveText("85,750.00");

  const drawn = await moments.jsonValue();
  const seconds = ((drawn.at(-1) ?? 0) - (drawn[0] ?? 0)) / 1_000;
  console.log(`${drawn.length} redraws in ${seconds.toFixed(2)} s`);
  expect(drawn.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 2);
});

async function sendInTurn(sandbox: Sandbox, count: number): Promise<void> {
  if (count === 0) return;
  await sendAirtime(sandbox, String(254_712_000_000 + count), "100");
  await sendInTurn(sandbox, count - 1);
}
