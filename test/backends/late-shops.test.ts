import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, type Explored, only } from "../support/explored.ts";
import { startSmallShop } from "../verdict/small-shop.ts";
import { LATE_SHOPS } from "./shops/late-shops.ts";

test.concurrent.each([
  ["refunds later", ["failure-twice", "result-failed", "refused-429", "refused-500"]],
  ["debits later", ["callback-twice", "callback-twice-at-once", "callback-late"]],
  ["has a queue that waits", ["five-customers-at-once"]],
] as const)("a sound shop that %s is not accused", async (shop, faults) => {
  const { exitCode, json } = await explore(shop, faults);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
  expect(json.trials.filter(({ verdict }) => verdict === "not assessed")).toEqual([]);
});

test.concurrent("a shop that reverses paid orders two seconds later is caught by the last look, and so is its replay", async () => {
  const { json } = await explore("reverses paid orders", ["result-failed"]);

  expect(defectsIn(json)).toEqual([
    expect.objectContaining({
      id: "delivered-shown-failed",
      trials: ["airtime-plain"],
      seen: expect.stringMatching(/^shown paid at first; 5\.\ds later failed and credited KES \d+\.00; /),
      replay: expect.stringContaining("kredo rehearse"),
    }),
  ]);
  expect(json.not_looked_at).toContain("timers longer than 5s");
});

test.concurrent("a shop that takes five orders at once and drops one is caught", async () => {
  const { json } = await explore("has a queue that drops", ["five-customers-at-once"]);

  expect(defectsIn(json).map(({ id, trials }) => ({ id, trials }))).toEqual([
    { id: "taken-not-sent", trials: ["airtime-five-customers-at-once"] },
  ]);
});

async function explore(shop: keyof typeof LATE_SHOPS, faults: readonly string[]): Promise<Explored> {
  await using sandbox = await createSandbox();
  await using started = await startSmallShop(sandbox, LATE_SHOPS[shop]);
  return await exploreAt(sandbox, started.appMap, ["--json", ...only(faults)]);
}
