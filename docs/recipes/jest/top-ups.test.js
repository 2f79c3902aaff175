// region account
import { expect, test } from "@jest/globals";
import { useAccount } from "kredo/jest";
import { startReceiver } from "./receiver.js";
import { TopUps } from "./top-ups.js";

const kredo = useAccount({ balance: "500.00", seed: 1 });
// endregion

/** The shop of one test, on the test's own account. */
async function openShop() {
  const { account } = kredo;
  const topUps = new TopUps((path, init) => account.fetch(path, init));
  const receiver = await startReceiver((callback) => topUps.report(callback));
  await account.callbacks.set({ airtime: receiver.url });
  return { account, topUps, close: receiver.close };
}

test("knows the charge once the callback has arrived", async () => {
  const { account, topUps, close } = await openShop();

  const sold = await topUps.sell("254712345678", "100");
  await account.clock.advance("5s");

  expect(topUps.reportOf(sold.requestId)).toEqual({ isPaid: true, charge: 95 });
  expect(await account.wallet.read()).toMatchObject({ available: 405 });
  await close();
});

test("treats a lost response as unknown, and still books the callback", async () => {
  const { account, topUps, close } = await openShop();
  await account.scenario({ name: "ack-lost-after-accept" });

  const sold = await topUps.sell("254712345678", "100");
  await account.clock.advance("5s");

  expect(sold).toEqual({ outcome: "unknown" });
  expect(topUps.spent).toBe(95);
  expect(await account.requests.count({ operation: "airtime" })).toBe(1);
  await close();
});

test("books a repeated callback only once", async () => {
  const { account, topUps, close } = await openShop();
  await account.scenario({ name: "duplicate-callbacks" });

  await topUps.sell("254712345678", "100");
  const fired = await account.clock.advance("1h");

  expect(fired.map(({ answered }) => answered)).toEqual([200, 200, 200]);
  expect(topUps.spent).toBe(95);
  expect(await account.findings({ severity: "defect" })).toEqual([]);
  await close();
});
