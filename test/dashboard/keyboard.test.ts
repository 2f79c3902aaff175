import { test } from "vitest";
import { PANELS } from "./panels.ts";
import { openStage } from "./stage.ts";
import { expect } from "./visitor.ts";

const KEYS = ["p", "t", "w", "c", "s", "f", "a", "n"] as const;

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

test.each(PANELS.map(([panel, title], index) => [KEYS[index], panel, title] as const))("g and %s go to %s", async (key, panel, title) => {
  await using stage = await openStage();
  await stage.visit(panel === "phones" ? "wallet" : "phones");
  await expect(stage.page.getByRole("heading", { level: 1 })).toBeVisible();

  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press(key ?? "");

  await expect(stage.page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(stage.page.getByRole("navigation").locator("[aria-current=page]")).toHaveText(title);
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
