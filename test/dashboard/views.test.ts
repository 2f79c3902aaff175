import type { Page } from "@playwright/test";
import { test as plainTest } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { findCovered } from "./find-covered.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { PICTURES } from "./pictures.ts";
import { startReceiver } from "./receiver.ts";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { sendMany } from "./traffic.ts";
import { expect, type Visitor, welcomeVisitor } from "./visitor.ts";

/** Each place of the page, and what stands there once all of it is drawn. */
const PLACES = [
  ["requests", "no answer"],
  ["failures", "Airtel rejects every accepted SMS"],
  ["failures/editor", "starts it or replaces the running one"],
  ["verdict", "Why it matters"],
  ["account", "Sender IDs"],
  ["nowhere", "View not found"],
] as const;

const VIEWS = ["requests", "failures", "verdict", "account"] as const;

interface Looks {
  /** A sandbox whose journal is full of what can be in one. */
  readonly busy: Sandbox;
  readonly reader: Visitor;
  /** A sandbox that has just begun, on a telephone. */
  readonly fresh: DashboardSession;
}

/** These tests only look, so they share what they look at. */
const test = plainTest.extend<Looks>({
  busy: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing
    async ({}, use) => {
      await using receiver = await startReceiver();
      await using sandbox = await createSandbox(AFTERNOON);
      await playAfternoon(sandbox, receiver);
      await use(sandbox);
    },
    { scope: "file" },
  ],
  reader: [
    async ({ busy }, use) => {
      await using visitor = await welcomeVisitor(busy.url, { reducedMotion: "reduce" });
      await use(visitor);
    },
    { scope: "file" },
  ],
  fresh: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing
    async ({}, use) => {
      await using session = await openDashboard({}, { viewport: NARROW });
      await use(session);
    },
    { scope: "file" },
  ],
});

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };
const PHONE_TO_DESK = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  NARROW,
];
/** What is left of a screen of 1280 by 800 pixels at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 };

test.for(PLACES)("axe finds no violation on %s", async ([place, sight], { reader }) => {
  const { page } = reader;
  await page.setViewportSize(WIDE);
  await reader.visit(place);
  await expect(page.getByRole("main").getByText(sight).first()).toBeVisible();

  expect(await findObstacles(page)).toEqual([]);
});

test.for(PICTURES)("the screenshot of $name shows what it was taken of", async ({ place, open }, { reader }) => {
  await reader.page.setViewportSize(WIDE);
  await reader.visit(place);

  await open(reader.page);
});

test.for(PLACES.flatMap(([place, sight]) => [NARROW, ZOOMED].map((size) => [place, size.width, sight, size] as const)))(
  "%s fits %d pixels",
  async ([place, , sight, size], { reader }) => {
    const { page } = reader;
    await page.setViewportSize(size);

    await reader.visit(place);
    await expect(page.getByRole("main").getByText(sight).first()).toBeVisible();

    expect(await findOverflow(page)).toEqual([]);
  },
);

test.for(VIEWS)("%s of a new account has no axe violation and fits a phone", async (view, { fresh }) => {
  await fresh.visit(view);
  await expect(fresh.page.getByRole("heading", { level: 1 })).toBeAttached();

  expect(await findObstacles(fresh.page)).toEqual([]);
  expect(await findOverflow(fresh.page)).toEqual([]);
});

test.for([WIDE, NARROW])(
  "what the header opens has no axe violation and fits $width pixels",
  async (size, { reader }) => {
    const { page } = reader;
    await page.setViewportSize(size);
    await reader.visit("requests");
    const seen: Record<string, readonly string[]> = {};
    const look = async (name: string): Promise<void> => {
      seen[name] = [...(await findObstacles(page)), ...(await findOverflow(page))];
      await page.keyboard.press("Escape");
    };

    await page.getByRole("button", { name: "Fail next…" }).click();
    await expect(page.getByRole("dialog", { name: "Fail next request" })).toBeVisible();
    await look("fail next");
    await page.getByRole("button", { name: "KES" }).click();
    await look("balance");
    await page.getByRole("button", { name: "Settings" }).click();
    await look("settings");
    await page.getByRole("button", { name: "Send…" }).click();
    await page.getByRole("button", { name: "SMS", exact: true }).click();
    await expect(page.getByRole("region", { name: "Price" })).toBeVisible();
    await look("send");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    await look("keys");

    expect(seen).toEqual({ "fail next": [], balance: [], settings: [], send: [], keys: [] });
  },
);

test.for(PHONE_TO_DESK)(
  "at $width pixels what became of an action covers no control of any view",
  async (size, { reader }) => {
    const { page } = reader;
    await page.setViewportSize(size);
    const covered: Record<string, readonly string[]> = {};

    for (const view of VIEWS) {
      await reader.visit(view);
      await page.getByRole("button", { name: "KES" }).click();
      await page.getByLabel("Top up, KES").fill("100");
      await page.keyboard.press("Enter");
      await expect(page.getByText("KES 100.00 received by paybill.")).toBeInViewport({ ratio: 1 });
      await page.keyboard.press("Escape");
      covered[view] = await findCovered(page.getByRole("status").filter({ hasText: "received" }));
      await page.getByRole("button", { name: "Dismiss", exact: true }).click();
    }

    expect(covered).toEqual({ requests: [], failures: [], verdict: [], account: [] });
  },
);

test.for(PLACES.filter(([place]) => VIEWS.some((view) => view === place)))(
  "%s is printed on as many sheets as it takes",
  async ([view, sight], { reader }) => {
    await reader.page.setViewportSize(WIDE);
    await reader.visit(view);
    await expect(reader.page.getByRole("main").getByText(sight).first()).toBeVisible();

    expect(await countSheets(reader.page)).toBeGreaterThan(1);
  },
);

test("all requests are printed, and then the list is as it was", async () => {
  await using session = await openDashboard({ accounts: [{ balance: "1000000" }] });
  await sendMany(session.sandbox, 300);
  await session.visit("requests");
  const rows = session.page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
  await expect(rows.nth(9)).toBeVisible();

  const sheets = await countSheets(session.page);

  // Of 300 rows of 36 pixels, on sheets of at most 800 pixels.
  expect(sheets).toBeGreaterThan(12);
  await expect.poll(() => rows.count()).toBeLessThan(100);
});

async function countSheets(page: Page): Promise<number> {
  const printed = await page.pdf({ format: "A5" });
  return printed.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

test("axe violations and elements that are too wide would be found", async () => {
  await using session = await openDashboard({}, { viewport: NARROW });
  await session.visit();
  await expect(session.page.getByRole("heading", { level: 1 })).toBeAttached();

  await session.page.evaluate(() => {
    const wide = document.createElement("img");
    wide.width = 400;
    document.querySelector("main")?.append(wide);
  });

  expect(await findObstacles(session.page)).toContainEqual(expect.stringMatching(/^image-alt: /));
  expect(await findOverflow(session.page)).not.toEqual([]);
});
