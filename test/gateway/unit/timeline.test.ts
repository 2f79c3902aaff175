import { expect, test } from "vitest";
import { readTimeline } from "../../../src/gateway/account/readings/timeline.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

test("a timeline leaves out what happened to other orders", async () => {
  const { account } = testWorld();
  const { requestId } = buyAirtime(account, 10);
  buyAirtime(account, 20);
  await account.advance({ by: 1_000 }, 1_000);
  const transaction = account.state.transactions.get(requestId);

  const entries = transaction && readTimeline(transaction, account.journal.read().events, { limit: 3_000 });

  expect(entries?.map(({ event }) => event)).toEqual(["accepted", "settled"]);
});
