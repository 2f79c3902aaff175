import { expect, test } from "vitest";
import type { RequestEvent } from "../../../src/gateway/account/events.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { Application } from "../../../src/verdict/application/application.ts";
import type { PlacedOrder } from "../../../src/verdict/application/placed-order.ts";
import { explainNoRequest } from "../../../src/verdict/application/no-request.ts";
import { accepted, refused, unread } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

const URL = "http://127.0.0.1:3000/orders";

/** Why no request for an order came that was placed with this reply, where the others did come. */
function explained(reply: PlacedOrder["reply"], others: readonly RequestEvent[] = []): string {
  const text = `{ version: 1, application: "http://127.0.0.1:3000", order: { airtime: { request: { url: "{app}/orders" } } } }`;
  const parsed = parseAppMap(text, "kredo.app.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const gateway = { url: "http://127.0.0.1:4000", consumerKey: "key" };
  const application = new Application(parsed.map, { gateway, interruption: new AbortController().signal });
  const order = {
    operation: "airtime",
    phoneNumber: "254712000101",
    amount: 100,
    message: "Hi",
    reference: "r",
  } as const;
  return explainNoRequest({ ...order, reply }, { application, gateway, others });
}

const TAKEN = { kind: "answered", status: 201, text: "{}" } as const;
const silent = (wasReached: boolean) => ({ kind: "silent", reason: "connection refused", wasReached }) as const;

test.each([
  [
    "the application does not run",
    silent(false),
    `Nothing answers at ${URL} (connection refused): start the application`,
  ],
  ["the application is silent", silent(true), `${URL} was not answered, and no request reached the sandbox. If`],
  [
    "it takes the order and sends it elsewhere",
    TAKEN,
    `${URL} answered 201, and no request reached the sandbox. If the application calls another gateway, point it at`,
  ],
  ["it takes the order and sends nothing", TAKEN, "If it calls none, start what sends its orders, such as a worker."],
  [
    "it refuses the order",
    { kind: "answered", status: 400, text: "no such customer" } as const,
    `${URL} answered 400: no such customer. No request reached the sandbox: correct order.airtime.request`,
  ],
  [
    "it refuses the order without a word",
    { kind: "answered", status: 500, text: "" } as const,
    `${URL} answered 500, and no request reached the sandbox. If the application calls another gateway, point it at http://127.0.0.1:4000/api/v2, with consumer key key, before you try again: its order may have gone to the live gateway.`,
  ],
])("explains that no request came at all when %s", (_what, reply, words) => {
  expect(explained(reply)).toContain(words);
});

test.each([
  ["has wrong credentials", unread("a", 0, { code: 401 }), "is refused with 401: set its consumer key to key"],
  [
    "sends wrong fields",
    unread("a", 0, { code: 422, description: "Invalid.", validationErrors: { amount: ["Too low.", "Not whole."] } }),
    "refuses its request with 422, Invalid. amount: Too low. Not whole. Send the fields",
  ],
  ["asks for another path", unread("a", 0, { code: 404 }), "refuses its request with 404, Refused. Send the fields"],
  ["orders for another number", accepted("a", 0), "but not with the phone number 254712000101: pass {phone_number}"],
  [
    "orders in vain for another number",
    refused("a", 0, { code: 402, order: airtime(50) }),
    "but not with the phone number 254712000101: pass {phone_number}",
  ],
])("explains that another request came when the application %s", (_what, other, words) => {
  expect(explained(TAKEN, [other])).toContain(words);
});
