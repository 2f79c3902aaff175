import { expect, test } from "vitest";
import { queryDetails } from "../../../src/gateway/account/decide/sell.ts";
import { isUnread } from "../../../src/gateway/account/readings/requests-of-orders.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { lastRequest } from "../../support/gateway/journal-events.ts";
import { buyAirtime, refuseRequest, testWorld } from "../../support/gateway/world.ts";

test.each<[string, (account: RunningAccount) => void, boolean]>([
  ["an accepted order", (account) => buyAirtime(account, 10), false],
  ["a refusal without an order in it", (account) => refuseRequest(account, 422), true],
  [
    "a question for the details",
    (account) => account.journal.append((state, at) => [queryDetails(state, account.moment(at))]),
    false,
  ],
])("%s was refused unread: $2", (_what, ask, expected) => {
  const { account } = testWorld();

  ask(account);

  expect(isUnread(lastRequest(account))).toBe(expected);
});
