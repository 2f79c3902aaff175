import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { problems, rehearseTexts } from "../support/rehearse.ts";
import { rehearsalText } from "../support/rehearsed.ts";
import { type Behaviour, type SmallOrder, type SmallShop, soundly, startSmallShop } from "../verdict/small-shop.ts";

const keepsTheMoney = (shop: SmallShop, order: SmallOrder, code: number | undefined): void => {
  if (code === 401) order.status = "failed";
  else soundly(shop, order, code);
};

const dropsTheOrder = (shop: SmallShop, order: SmallOrder, code: number | undefined): void => {
  if (code === 401) shop.orders.delete(order.reference);
  else soundly(shop, order, code);
};

/** Plays the shipped rehearsal to a shop whose customers have one balance. */
async function rotate(behaviour: Behaviour) {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);
  const rehearsal = rehearsalText("secret-rotated");
  const flags = ["--url", sandbox.url];
  const { exitCode, trials } = await rehearseTexts([rehearsal], { map: shop.appMap, flags });
  const statuses = [...shop.shop.orders.values()].map(({ status }) => status);
  return { exitCode, statuses, problems: [...new Set(problems({ trials }))] };
}

test.concurrent("secret-rotated accuses a shop of nothing that goes on with the new secret, and back", async () => {
  const rotated = await rotate({ secrets: ["sandbox-secret", "rotated-secret"] });

  expect(rotated).toEqual({ exitCode: 0, problems: [], statuses: Array.from({ length: 10 }, () => "paid") });
});

test.concurrent.each([
  ["keeps the money for orders that it did not send", keepsTheMoney, 1, "defect not-refunded"],
  ["drops its orders", dropsTheOrder, 3, "not assessed order"],
])("secret-rotated fails a shop that %s", async (_what, answered, exitCode, problem) => {
  const rotated = await rotate({ answered });

  expect(rotated).toMatchObject({ exitCode, problems: [problem, "risk sent-after-401"] });
});
