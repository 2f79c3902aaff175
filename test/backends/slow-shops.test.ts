import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, only } from "../support/explored.ts";
import { type Behaviour, type SmallOrder, type SmallShop, soundly, startSmallShop } from "../verdict/small-shop.ts";

const givesBackAfterSilence = (shop: SmallShop, order: SmallOrder, code: number | undefined): void => {
  if (code === undefined) shop.balance += order.amount;
  else soundly(shop, order, code);
};

/** More often than a job that never stops is known by. */
const TRIES = 12;

/** Answers at once, and tries a refused order again; if none of so many tries was accepted, the customer gets the money back. */
const triesTwelveTimes: Behaviour["placing"] = (shop, { text }) => {
  const { reference, to, amount }: { reference: string; to: string; amount: number } = JSON.parse(text);
  const order: SmallOrder = { reference, phoneNumber: to, amount, status: "open" };
  shop.orders.set(reference, order);
  shop.balance -= amount;
  void tryAgain(shop, order, TRIES);
  return { status: 202 };
};

async function tryAgain(shop: SmallShop, order: SmallOrder, times: number): Promise<void> {
  const code = await shop.send(order);
  if (code === undefined || code === 200) return;
  await sleep(200);
  if (times > 1) await tryAgain(shop, order, times - 1);
  else shop.settle(order, false);
}

const SLOW_BALANCE = { balanceAfter: 400, patience: 10_000 };

test.concurrent.each<[string, Behaviour, string, string[]]>([
  ["shows its balance after 400 ms, and keeps the money of an open order", SLOW_BALANCE, "reset-after-accept", []],
  [
    "shows its balance after 400 ms, and gives back the money of an order that was delivered",
    { ...SLOW_BALANCE, answered: givesBackAfterSilence },
    "reset-after-accept",
    ["delivered-given-back"],
  ],
  [
    "tries a refused order twelve times, and then gives the money back",
    { placing: triesTwelveTimes, map: { settle: undefined } },
    "credentials-revoked-throughout",
    [],
  ],
])("a shop that %s", async (_what, behaviour, fault, defects) => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only([fault])]);

  expect({ exitCode, defects: defectsIn(json).map(({ id }) => id) }).toEqual({
    exitCode: defects.length === 0 ? 0 : 1,
    defects,
  });
});
