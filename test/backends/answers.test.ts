import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, type Explored, only } from "../support/explored.ts";
import { type Behaviour, startSmallShop } from "../verdict/small-shop.ts";
import { FOUND_BY_ID, PAIRS, saysUnknown } from "./shops/answers.ts";

const pairs = Object.entries(PAIRS);

test.concurrent.each(pairs)("a sound shop that %s is not accused", async (_what, { sound, faults }) => {
  const { exitCode, json, complained } = await exploreShop(sound, faults);

  expect({ exitCode, defects: defectsIn(json), complained }).toMatchObject({ exitCode: 0, defects: [] });
  expect(json.trials.filter(({ verdict }) => verdict === "not assessed")).toEqual([]);
});

test.concurrent.each(pairs.map(([what, pair]) => [what, pair.defect, pair] as const))(
  "a shop that %s and %s is told",
  async (_what, _defect, { mutant, faults, caught }) => {
    const { exitCode, json } = await exploreShop(mutant, faults.slice(0, 1));

    const kinds = defectsIn(json).map(({ id }) => id);
    expect({ exitCode, kinds }).toEqual({ exitCode: 1, kinds: expect.arrayContaining(caught.slice(0, 1)) });
    expect(kinds.filter((kind) => !caught.includes(kind))).toEqual([]);
  },
);

test.concurrent("an order whose answer leaves it open is asked about where nothing can find it again", async () => {
  const { json, complained } = await exploreShop({ ...saysUnknown, map: FOUND_BY_ID }, ["reset-after-accept"]);

  const unknown = json.trials.find(({ id }) => id === "airtime-1-reset-after-accept");
  expect({ defects: defectsIn(json), verdict: unknown?.verdict }).toEqual({ defects: [], verdict: "not assessed" });
  expect(`${JSON.stringify(unknown)}${complained}`).toContain("use {reference} in status.request");
});

async function exploreShop(behaviour: Behaviour, faults: readonly string[]): Promise<Explored> {
  await using sandbox = await createSandbox();
  // No fault here is a slow answer, so that the shop waits as long as a busy machine may need.
  await using shop = await startSmallShop(sandbox, { patience: 10_000, ...behaviour });
  return await exploreAt(sandbox, shop.appMap, ["--json", ...only(faults)]);
}
