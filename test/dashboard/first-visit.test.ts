import { test } from "vitest";
import { paste } from "./shell-commands.ts";
import { openStage, type Stage } from "./stage.ts";
import { expect } from "./visitor.ts";

test("a new user pastes the command from the empty phones, and the phone is there", async () => {
  await using stage = await openStage();

  const printed = await pasteShown(stage, "phones");

  expect(printed).toContain('"status_code":200');
  await expect(stage.page.getByRole("list", { name: "Phones, newest first" }).getByRole("link")).toHaveAccessibleName(/\+254 712 345 678/);
});

test("the command of the empty table makes the first row", async () => {
  await using stage = await openStage();

  const printed = await pasteShown(stage, "transactions");

  expect(printed).toContain('"status_code":200');
  await expect(stage.page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeVisible();
});

test("the command of the wallet begins its curve", async () => {
  await using stage = await openStage();

  await pasteShown(stage, "wallet");

  await expect(stage.page.getByRole("slider", { name: "Available balance over time" })).toBeVisible();
});

test("the command of the time gives the clock something to wait for", async () => {
  await using stage = await openStage();

  await pasteShown(stage, "time");

  await expect(stage.page.getByRole("table", { name: "What is pending, soonest first" }).getByRole("row")).toHaveCount(2);
});

test("the command of the scenarios begins one", async () => {
  await using stage = await openStage();

  await pasteShown(stage, "scenarios");

  await expect(stage.page.getByRole("article", { name: "callback-never" })).toBeVisible();
});

test("the command of the findings makes one", async () => {
  await using stage = await openStage();

  await pasteShown(stage, "findings");

  await expect(stage.page.getByRole("list", { name: /^Seen: / }).first()).toBeVisible();
});

async function pasteShown(stage: Stage, panel: string): Promise<string> {
  await stage.visit(panel);
  return paste(await stage.page.getByRole("main").locator("pre").first().innerText());
}
