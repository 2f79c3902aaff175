import { test as plainTest } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { PANELS } from "./panels.ts";
import { startReceiver } from "./receiver.ts";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { expect, type Visitor, welcomeVisitor } from "./visitor.ts";

/** Each place of the page, and what stands there once all of it is drawn. */
const PLACES = [
  ["phones", "On its way"],
  ["phones/254712345678", "Habari Wanjiku!"],
  ["transactions", "Refused 402"],
  ["callbacks", "Resend all undelivered"],
  ["wallet", "Ledger"],
  ["time", "never settle"],
  ["scenarios", "Airtel rejects the message"],
  ["scenarios/shipped", "last-shilling-race"],
  ["scenarios/write", "Tab leaves the editor"],
  ["findings", "Why it matters"],
  ["account", "Sender IDs"],
  ["send", "Magic numbers"],
  ["nowhere", "View not found"],
] as const;

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
const NARROW = { width: 360, height: 740 };

test.for(PLACES)("axe finds nothing in the way on %s", async ([place, sight], { reader }) => {
  const { page } = reader;
  await page.setViewportSize(WIDE);
  await reader.visit(place);
  await expect(page.getByRole("main").getByText(sight).first()).toBeVisible();

  expect(await findObstacles(page)).toEqual([]);
});

test.for(PLACES)("%s fits a screen of 360 pixels", async ([place, sight], { reader }) => {
  const { page } = reader;
  await page.setViewportSize(NARROW);

  await reader.visit(place);
  await expect(page.getByRole("main").getByText(sight).first()).toBeVisible();

  expect(await findOverflow(page)).toEqual([]);
});

test.for([WIDE, NARROW])(
  "an opened transaction has nothing in the way and fits $width pixels",
  async (size, { reader }) => {
    const { page } = reader;
    await page.setViewportSize(size);
    await reader.visit("transactions");

    await page
      .getByRole("link", { name: /^Failed 403/ })
      .first()
      .click();
    await expect(page.getByText("Callback attempt 1")).toBeVisible();
    const story = [await findObstacles(page), await findOverflow(page)];
    await page.getByRole("tab", { name: "Callbacks" }).click();
    await expect(page.getByText("Request sent")).toBeVisible();
    const callbacks = [await findObstacles(page), await findOverflow(page)];
    await page.getByRole("tab", { name: "Request" }).click();
    await expect(page.getByRole("region", { name: "request body" })).toBeVisible();
    const request = [await findObstacles(page), await findOverflow(page)];
    await page.getByRole("tab", { name: "Acknowledgment" }).click();
    await expect(page.getByText("content-length")).toBeVisible();
    const acknowledgment = [await findObstacles(page), await findOverflow(page)];
    await page.getByRole("tab", { name: "Ledger" }).click();
    await expect(page.getByRole("table", { name: "Ledger entries" })).toBeVisible();
    const ledger = [await findObstacles(page), await findOverflow(page)];
    await page.getByRole("tab", { name: "Raw" }).click();
    await expect(page.getByRole("heading", { name: "Response" })).toBeVisible();
    const raw = [await findObstacles(page), await findOverflow(page)];

    const clear = [[], []];
    expect({ story, callbacks, request, acknowledgment, ledger, raw }).toEqual({
      story: clear,
      callbacks: clear,
      request: clear,
      acknowledgment: clear,
      ledger: clear,
      raw: clear,
    });
  },
);

test.for([WIDE, NARROW])(
  "the form that arms, the setup and the filters have nothing in the way and fit $width pixels",
  async (size, { reader }) => {
    const { page } = reader;
    await page.setViewportSize(size);
    await reader.visit("transactions");

    await page.locator("details.setup").evaluate((details) => details.toggleAttribute("open", true));
    await expect(page.getByRole("button", { name: "Copy .env" })).toBeVisible();
    await page.locator(".transactions-fold").dispatchEvent("click");
    const unfolded = [await findObstacles(page), await findOverflow(page)];
    await page.getByRole("button", { name: "Arm…" }).click();
    await expect(page.getByRole("heading", { name: "Arm the next request" })).toBeVisible();
    const arming = [await findObstacles(page), await findOverflow(page)];
    // The page is shared: what is open would lie over what others look at.
    await page.keyboard.press("Escape");

    expect({ unfolded, arming }).toEqual({ unfolded: [[], []], arming: [[], []] });
  },
);

test("the list of keys and a shipped scenario have nothing in the way and fit 360 pixels", async ({ reader }) => {
  const { page } = reader;
  await page.setViewportSize(NARROW);
  await reader.visit("scenarios/shipped");

  await page.getByRole("link", { name: "bad-afternoon" }).click();
  await expect(page.getByRole("dialog").getByText("version: 1")).toBeVisible();
  const scenario = [await findObstacles(page), await findOverflow(page)];
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  const keys = [await findObstacles(page), await findOverflow(page)];

  expect({ scenario, keys }).toEqual({ scenario: [[], []], keys: [[], []] });
});

test.for(PANELS)(
  "%s of a new account: axe finds nothing in the way, and it fits 360 pixels",
  async ([panel, title], { fresh }) => {
    await fresh.visit(panel);
    await expect(fresh.page.getByRole("heading", { level: 1, name: title })).toBeVisible();

    expect(await findObstacles(fresh.page)).toEqual([]);
    expect(await findOverflow(fresh.page)).toEqual([]);
  },
);

test("what is in the way and what is too wide would be found", async () => {
  await using session = await openDashboard({}, { viewport: NARROW });
  await session.visit();
  await expect(session.page.getByRole("heading", { level: 1 })).toBeVisible();

  await session.page.evaluate(() => {
    const wide = document.createElement("img");
    wide.width = 400;
    document.querySelector("main")?.append(wide);
  });

  expect(await findObstacles(session.page)).toContainEqual(expect.stringMatching(/^image-alt: /));
  expect(await findOverflow(session.page)).not.toEqual([]);
});
