import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { startExampleShop } from "../../support/example-shop.ts";
import { defectsIn, exploreAt, type Explored } from "../../support/explored.ts";

const SOME = [
  "refused-422",
  "reset-after-accept",
  "result-failed",
  "callback-before-ack",
  "callback-twice-at-once",
  "failure-twice",
  "profile-callback-text",
];

test("the example's shop has no defect", async () => {
  const { json } = await exploreShop({});

  expect(json.problems).toEqual([]);
  expect({ done: json.done, total: json.total }).toEqual({ done: SOME.length, total: SOME.length });
});

test("the example's shop sells twice once it is broken", async () => {
  const { json } = await exploreShop({ BREAK: "1" });

  expect(defectsIn(json)).toEqual([
    expect.objectContaining({ id: "sold-twice", trials: ["airtime-1-reset-after-accept"] }),
  ]);
});

async function exploreShop(environment: NodeJS.ProcessEnv): Promise<Explored> {
  await using sandbox = await createSandbox();
  using shop = await startExampleShop(sandbox, environment);
  return await exploreAt(sandbox, shop.map, SOME.flatMap((fault) => ["--fault", fault]).concat("--json"));
}
