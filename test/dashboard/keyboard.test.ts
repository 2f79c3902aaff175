import { test as plainTest } from "vitest";
import { openStage, type Stage } from "./stage.ts";
import { expect } from "./visitor.ts";

/** In an order in which each of them goes somewhere else. */
const KEYS = [
  ["t", "Transactions"],
  ["w", "Wallet"],
  ["c", "Time"],
  ["s", "Scenarios"],
  ["f", "Findings"],
  ["a", "Account"],
  ["n", "Send"],
  ["p", "Phones"],
] as const;

/** One reader for all the ways that begin with g. */
const test = plainTest.extend<{ reader: Stage }>({
  reader: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing
    async ({}, use) => {
      await using stage = await openStage();
      await stage.visit();
      await use(stage);
    },
    { scope: "file" },
  ],
});

test("the first Tab stop skips to the panel", async () => {
  await using stage = await openStage();
  await stage.visit();
  const { page } = stage;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the panel" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to the panel" })).toBeInViewport();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("main")).toBeFocused();
});

test.for(KEYS)("g and %s go to %s", async ([key, title], { reader }) => {
  const { page } = reader;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press(key);

  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Panels" }).locator("[aria-current=page]")).toHaveText(title);
});

test("a question mark lists the keys, Escape closes the list", async () => {
  await using stage = await openStage();
  await stage.visit();
  const { page } = stage;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const keys = page.getByRole("dialog", { name: "Keys" });

  await page.keyboard.press("?");
  await expect(keys.getByRole("row", { name: "go to Wallet" })).toHaveText("g w go to Wallet");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await page.keyboard.press("?");

  await expect(keys).toBeVisible();
});
