import { expect, test } from "vitest";
import { lastingStore, leftIn } from "../../support/gateway/restart.ts";
import { accepted, appliedRules } from "../../support/finding-events.ts";
import { watchedWorld } from "../../support/watched-world.ts";
import { accountSettings, buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

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

test("without a callback URL, an order whose acknowledgment was lost is over once it is settled", async () => {
  const { account, findings } = watchedWorld({ account: { callbacks: accountSettings().callbacks } });
  const lost = appliedRules({ breakage: "reset" });
  account.journal.append(() => [accepted("lost", 0, { rules: lost })]);
  await account.advance({ by: 1_000 }, 1_000);

  account.journal.append(() => [accepted("eleven minutes later", 660)]);

  expect(account.state.transactions.get("lost")).toHaveProperty("progress.settled.callback.none");
  expect(findings.of(account).list()).toEqual([]);
});
