import { expect, test } from "vitest";
import { type Gateway, startGateway } from "../../../src/gateway/start-gateway.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { AUTHORIZATION, basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

function buy(gateway: Gateway, fields: object): Promise<Response> {
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  return fetch(`${gateway.url}/api/v2/airtime`, { method: "POST", headers, body: JSON.stringify(fields) });
}

test("sells airtime, and shows what is left in the wallet", async () => {
  await using gateway = await startGateway({ port: 0, clock: "manual", accounts: [{ balance: "500.00" }] });

  const bought = await buy(gateway, { phone_number: "254712345678", amount: "100" });
  const details = await fetch(`${gateway.url}/api/v2/account-details`, { headers: { authorization: AUTHORIZATION } });

  expect(await bought.json()).toMatchObject({ status_code: 200 });
  expect(await details.json()).toMatchObject({ organization: { details: { available_balance: 405 } } });
});

test("sells without the port, tops up, moves time, and says what it sent and received", async () => {
  await using receiver = await receiveHttp((_request, response) => response.end("ok"));
  const shop = { consumer_key: "shop", consumer_secret: "s", balance: "10.00", callbacks: { airtime: receiver.url } };
  await using gateway = await startGateway({ clock: "manual", accounts: [{}, shop] });
  const headers = { authorization: basic("shop", "s"), "content-type": "application/json" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "100" });

  gateway.topUp("90.00", "shop");
  const request = new Request(`${gateway.url}/api/v2/airtime`, { method: "POST", headers, body });
  const answer = await gateway.fetch(request);
  const { fired } = await gateway.advance("10m", "shop");

  expect(await answer.json()).toMatchObject({ status_code: 200, request_id: fired[0]?.requestId });
  expect(fired).toMatchObject([{ url: receiver.url, outcome: { kind: "answered", status: 200 } }]);
  expect(receiver.requests).toHaveLength(1);
  expect(gateway.requests("shop")).toMatchObject([{ operation: "airtime", statusCode: 200 }]);
  expect(gateway.requests()).toEqual([]);
  expect(await gateway.drain("shop")).toBe(true);
});

test.each([
  ["before the call", (leaving: AbortController) => leaving.abort("enough"), () => {}],
  ["right after the call", () => {}, (leaving: AbortController) => leaving.abort("enough")],
])("sells nothing to an in-process client that aborts %s", async (_, before, after) => {
  await using gateway = await startGateway({ clock: "manual" });
  const leaving = new AbortController();
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "100" });
  const { signal } = leaving;

  before(leaving);
  const answer = gateway.fetch(new Request(`${gateway.url}/api/v2/airtime`, { method: "POST", headers, body, signal }));
  after(leaving);

  await expect(answer).rejects.toBe("enough");
  expect(gateway.requests()).toEqual([]);
});

test.each<[string, (gateway: Gateway) => unknown]>([
  ["fetch", (gateway) => gateway.fetch(new Request(gateway.url))],
  ["advance", (gateway) => gateway.advance("1s")],
  ["drain", (gateway) => gateway.drain()],
  ["topUp", (gateway) => gateway.topUp("1.00")],
  ["requests", (gateway) => gateway.requests()],
])("refuses %s once it is closed, however often", async (_, call) => {
  const gateway = await startGateway({ clock: "manual" });

  await Promise.all([gateway.close(), gateway.close()]);

  await expect(async () => call(gateway)).rejects.toThrow(`the gateway at ${gateway.url} was closed`);
});

test("names every option that is wrong, and a wrong duration and amount", async () => {
  await using gateway = await startGateway({ clock: "manual" });

  await expect(startGateway({ seed: -1, max_rules: 0 })).rejects.toThrow(/seed: -1 is too small[^]*max_rules/);
  await expect(gateway.advance("soon")).rejects.toThrow(/"soon" is not a duration/);
  expect(() => gateway.topUp("much")).toThrow(/"much" is not an amount/);
  expect(() => gateway.topUp("0")).toThrow(/^KES 0\.00 is not between 0\.01 and /);
});

test("plays the magic numbers, or the shipped scenarios that are named", async () => {
  await using usual = await startGateway({ port: 0 });
  await using named = await startGateway({ port: 0, scenarios: ["rate-limited"] });
  const order = { phone_number: "254700000402", amount: "100" };

  const answers = await Promise.all([buy(usual, order), buy(named, order)]);

  expect(answers.map(({ status }) => status)).toEqual([402, 200]);
  await expect(startGateway({ port: 0, scenarios: ["nonsense"] })).rejects.toThrow(
    /no shipped scenario is called nonsense/,
  );
});

test.each(["/__admin/accounts", "/livez", "/metrics", "/"])("does not serve %s", async (path) => {
  await using gateway = await startGateway({ port: 0 });

  expect((await fetch(gateway.url + path)).status).toBe(404);
});

test("closes its connections to receivers when it closes, and says how many orders it left", async () => {
  const closed: string[] = [];
  const transport = { deliver: () => new Promise<never>(() => {}), close: async () => void closed.push("transport") };
  await using gateway = await startTestGateway({}, { transport });
  await sendAirtime(gateway);

  const left = await gateway.running.close();

  expect({ left, closed }).toEqual({ left: 1, closed: ["transport"] });
});
