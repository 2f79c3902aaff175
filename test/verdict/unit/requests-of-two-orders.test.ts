import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { requestsByOrder } from "../../../src/gateway/account/readings/requests-of-orders.ts";
import { accepted, refused } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { ORDER } from "../../support/order-evidence.ts";

const NUMBER = ORDER.phoneNumber;

/** A request of so many shillings, which is accepted unless told. */
type Sent = number | readonly [shillings: number, code: number];

/** What two orders for one number get: the places of the requests for each. The second was placed after so many. */
function placesOf(amounts: readonly [number, number], sent: readonly Sent[], requestsBefore: number): string[] {
  const events = sent.map((one, at): AccountEvent => {
    if (typeof one === "number") return accepted(`r${at}`, at, { order: airtime(one, NUMBER) });
    return refused(`r${at}`, at, { order: airtime(one[0], NUMBER), code: one[1] });
  });
  const [first, second] = amounts.map((amount, at) => ({ ...ORDER, amount, reference: `${at}` }));
  const orders = [first, second && { ...second, requestsBefore }].flatMap((one) => one ?? []);
  const requests = requestsByOrder(events, orders);
  return orders.map(({ reference }) => (requests.get(reference) ?? []).map(({ requestId }) => requestId).join(" "));
}

test.each<[string, readonly [number, number], readonly Sent[], number, string[]]>([
  ["each sent once", [50, 70], [50, 70], 1, ["r0", "r1"]],
  ["at once, the second first", [50, 70], [70, 50], 0, ["r1", "r0"]],
  ["of which the first is tried again late", [50, 70], [[50, 429], 70, 50], 1, ["r0 r2", "r1"]],
  ["of one amount, each sent once", [50, 50], [50, 50], 1, ["r0", "r1"]],
  ["of one amount, the first refused for good", [50, 50], [[50, 402], 50], 1, ["r0", "r1"]],
  ["of one amount, the first tried again late", [50, 50], [[50, 429], 50, 50], 1, ["r0 r2", "r1"]],
  ["of one amount, the first sold twice", [50, 50], [50, 50, 50], 2, ["r0 r1", "r2"]],
  ["of one amount, the second sold twice", [50, 50], [50, 50, 50], 1, ["r0", "r1 r2"]],
  ["of which the second is sold as the first", [50, 70], [50, 50], 1, ["r0 r1", ""]],
  ["each in two parts", [50, 70], [30, 20, 40, 30], 2, ["r0 r1", "r2 r3"]],
])("two orders for one number, %s", (_what, amounts, sent, requestsBefore, places) => {
  expect(placesOf(amounts, sent, requestsBefore)).toEqual(places);
});
