import { expect, test } from "vitest";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { Application } from "../../../src/verdict/application/application.ts";
import { newOrder } from "../../../src/verdict/application/new-order.ts";
import { judgeStranger } from "../../../src/verdict/orders/judge-stranger.ts";
import { sendStrangersCallback } from "../../../src/verdict/trial/strangers-callback.ts";
import type { Verdict } from "../../../src/verdict/verdict.ts";
import { startGuardedShop } from "../../backends/shops/guarded.ts";
import type { Defect } from "../../backends/shops/mutants.ts";
import { sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";
import { evidenceOf } from "../../support/order-evidence.ts";

const AS_NUMBERS = { callback_values: "numbers", decimals: "trimmed" } as const;
const AS_TEXT = { callback_values: "text", decimals: "fixed" } as const;

test.each([
  ["airtime", sendAirtime, AS_NUMBERS],
  ["airtime", sendAirtime, AS_TEXT],
  ["sms", sendMessage, AS_NUMBERS],
] as const)(
  "a stranger's callback for %s has the bytes of the gateway's own, and nothing secret of its URL (%#)",
  async (product, send, form) => {
    await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
    await using gateway = await startTestGateway(form);
    const url = `${receiver.url.replace("//", "//user:secret-of-the-url@")}?token=secret-of-the-url`;
    setCallbacks(gateway.account, callbacksTo(url));
    const { body } = await send(gateway);
    const application = readApplication(`${MAP}callbacks: { ${product}: "${url}" }\n`);

    const sent = await sendStrangersCallback(application, gateway.account.state, String(body["request_id"]), form);
    await gateway.account.advance({ by: 60_000 }, 5_000);

    const [strangers, own] = receiver.requests;
    expect(sent).toEqual({ hasSecret: true, reply: { kind: "answered", status: 200, text: "ok" } });
    expect(strangers?.url).toBe("/hooks");
    expect(strangers?.rawHeaders.map((text) => text.toLowerCase())).not.toContain("authorization");
    expect(strangers?.body).toBe(own?.body);
    expect(gateway.account.journal.read().events.filter(({ kind }) => kind === "attempted")).toHaveLength(1);
  },
);

test("nothing is sent for an order that is settled, or without a receiver", async () => {
  await using gateway = await startTestGateway();
  const { body } = await sendAirtime(gateway);
  const requestId = String(body["request_id"]);
  const [none, some] = [MAP, `${MAP}callbacks: { airtime: "{app}/hooks" }\n`].map(readApplication);
  const send = (application = none) =>
    application && sendStrangersCallback(application, gateway.account.state, requestId, AS_NUMBERS);

  const unheard = await send();
  await gateway.account.advance({ by: 60_000 }, 5_000);

  expect({ unheard, settled: await send(some) }).toEqual({ unheard: undefined, settled: undefined });
});

const BELIEVES = "believes callbacks without its token";

test.each<[string, Defect | undefined, RegExp, string]>([
  ["asks for the token in its URL", undefined, /^$/, "right order"],
  ["believes callbacks without its token", BELIEVES, /^$/, "defect believes-strangers"],
  ["believes callbacks, and has no token in its URL", BELIEVES, /\?token=\w+/g, "risk believes-strangers"],
])("a shop that %s", async (_what, defect, leftOut, verdict) => {
  const judged = await strangerAt(defect, leftOut);

  expect(`${judged.is} ${judged.id}`).toBe(verdict);
});

/** Places two orders of which the gateway tells nothing, and sends a stranger's callback for one. */
async function strangerAt(defect: Defect | undefined, leftOut: RegExp): Promise<Verdict> {
  await using gateway = await startTestGateway();
  const access = { gateway: `http://127.0.0.1:${gateway.port}`, key: "sandbox-key", secret: "sandbox-secret" };
  await using shop = await startGuardedShop({ ...access, defect });
  const application = readApplication(shop.appMap.replace(leftOut, ""));
  const [order, other] = [0, 1].map((index) =>
    newOrder("airtime", { seed: 1, startedAt: 0, draw: index, map: application.map }),
  );
  if (order === undefined || other === undefined) throw new Error("there are two orders");
  const [placed, like] = [await application.place(order), await application.place(other)];
  const before = await application.status(placed);
  const { state } = gateway.account;
  const accepted = [...state.transactions.values()].map((one) => one.accepted);
  const { requestId = "" } = accepted.find((one) => one.order.phoneNumber === order.phoneNumber) ?? {};

  const sent = await sendStrangersCallback(application, state, requestId, AS_NUMBERS);

  if (sent === undefined) throw new Error("the shop has a receiver");
  const { events } = gateway.account.journal.read();
  const evidence = evidenceOf(order, events, { placed, claimed: await application.status(placed) });
  return judgeStranger(evidence, { ...sent, before, control: await application.status(like) });
}

const MAP = `version: 1
application: http://127.0.0.1:1
order: { airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}" } } } }
`;

function readApplication(text: string): Application {
  const parsed = parseAppMap(text, "kredo.app.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const gateway = { url: "http://127.0.0.1:1", consumerKey: "key" };
  return new Application(parsed.map, { gateway, interruption: new AbortController().signal });
}
