import { expect, test } from "vitest";
import { type RunningGateway, startGateway } from "../../../src/gateway/start-gateway.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { AUTHORIZATION, startTestGateway } from "../../support/gateway/test-gateway.ts";

function buy(gateway: RunningGateway, fields: object): Promise<Response> {
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

test.each(["/__admin/accounts", "/livez", "/metrics", "/"])("serves nothing else: not %s", async (path) => {
  await using gateway = await startGateway({ port: 0 });

  expect((await fetch(gateway.url + path)).status).toBe(404);
});

test("closes its connections to receivers when it closes, and says how many orders it left", async () => {
  const closed: string[] = [];
  const transport = { deliver: () => new Promise<never>(() => {}), close: async () => void closed.push("transport") };
  await using gateway = await startTestGateway({}, { transport });
  await sendAirtime(gateway);

  const left = await gateway.running.close();

  expect([left, closed]).toEqual([1, ["transport"]]);
});
