import { expect, test } from "vitest";
import { lastingStore, leftIn } from "../../support/gateway/restart.ts";
import { watchedWorld } from "../../support/watched-world.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

test("findings come back with the events that show them", async () => {
  const store = lastingStore();
  const before = watchedWorld({
    store,
    account: { callbacks: callbacksTo("http://localhost:3000/hook") },
    answer: () => ({ kind: "answered", status: 500, body: "" }),
  });
  buyAirtime(before.account, 10);
  await before.account.advance({ by: 1_000 }, 1_000);
  const noticed = before.findings.of(before.account).list();

  const { account, findings } = watchedWorld(leftIn(store));

  expect(findings.of(account).list()).toEqual(noticed);
  expect(noticed).not.toEqual([]);
});
