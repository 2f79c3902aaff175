import { test as plainTest } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { PICTURES } from "./pictures.ts";
import { startReceiver } from "./receiver.ts";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
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
