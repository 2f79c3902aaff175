import { expect, test } from "vitest";
import { profileCells } from "../../../src/verdict/exploration/profile-cells.ts";
import { BARE_MAP } from "../../support/explored-cells.ts";

const RECEIVER = { airtime: "http://localhost:3000/callbacks" };

function ordersTried(application: { readonly callbacks: object; readonly hasStatusOfEach: boolean }): unknown[] {
  const { callbacks, hasStatusOfEach } = application;
  const [cell] = profileCells(["airtime"], {
    application: { map: { ...BARE_MAP, callbacks }, hasStatusOfEach },
    verdictOf: () => "right",
  });
  return cell?.special?.orders?.map(({ faults = [] }) => faults[0] ?? "plain") ?? [];
}

test.each([
  [
    "with a receiver",
    { callbacks: RECEIVER, hasStatusOfEach: true },
    ["plain", "result-failed", "refused-402", "refused-422", "callback-before-ack"],
  ],
  [
    "without a receiver",
    { callbacks: {}, hasStatusOfEach: true },
    ["plain", "result-failed", "refused-402", "refused-422"],
  ],
  ["without a status of each order", { callbacks: RECEIVER, hasStatusOfEach: false }, ["plain"]],
])("an application %s is tried under a profile with what it can show", (_what, application, orders) => {
  expect(ordersTried(application)).toEqual(orders);
});
