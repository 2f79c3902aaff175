import { expect, test } from "vitest";
import { describe as describeEvent } from "../../../src/gateway/account/readings/describe-event.ts";
import { isDetailsRequest } from "../../../src/gateway/account/event-guards.ts";
import type { ConnectionCut, RequestEvent } from "../../../src/gateway/account/events.ts";
import { airtime, NOW, shillings } from "../../support/gateway/ask.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

const CUT: ConnectionCut = {
  kind: "cut",
  at: NOW,
  requestId: "one",
  content: 1,
  breakage: "reset",
  rules: { fired: [], counters: [], breakage: "reset" },
};

test.each<[string, RequestEvent, boolean]>([
  ["was answered", { kind: "queried", at: NOW, requestId: "one", content: 1, available: shillings("5") }, true],
  ["was cut off", CUT, true],
  ["carried an order and was cut off", { ...CUT, order: airtime().order }, false],
])("a request that %s is a question for the account's details: %3$s", (_what, event, isDetails) => {
  expect(isDetailsRequest(event)).toBe(isDetails);
});

test("a connection that broke is about the order that it carried", () => {
  expect(describeEvent({ ...CUT, order: airtime().order }, { limit: 3_000 })).toEqual({
    title: "airtime 254712345678 KES 50.00",
    status: "cut",
    outcome: "the connection broke before acceptance (reset)",
    details: [],
    tone: "bad",
  });
});

test("a connection that broke without an order asked for the account's details", () => {
  expect(describeEvent(CUT, { limit: 3_000 }).title).toBe("account-details");
});

test("a result that nobody is told of says why", async () => {
  const { account } = testWorld();
  buyAirtime(account, 10);
  await account.advance({ by: 1_000 }, 1_000);
  const settled = account.journal.read().events.find((event) => event.kind === "settled");

  const why = settled && "none" in settled.callback ? settled.callback.none : undefined;
  expect(why).toBeDefined();
  expect(settled && describeEvent(settled, { limit: 3_000 }).outcome).toContain(why);
});
