import { expect, test } from "vitest";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { scenarioWith } from "../../support/gateway/ask.ts";
import { callRaw, DETAILS, sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { startTestGateway, type WrittenSettings } from "../../support/gateway/test-gateway.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";

/** What a receiver gets after one airtime order of KES 100 and one SMS: the bodies, and the first one's headers in lower case. */
async function callbacksUnder(
  config: WrittenSettings,
  callbacks: Readonly<Record<string, string>> = {},
  scenarios: readonly Scenario[] = [],
) {
  await using receiver = await receiveHttp((_request, response) => void response.end());
  const accounts = [{ callbacks: { airtime: receiver.url, sms: receiver.url, ...callbacks } }];
  await using sandbox = await startTestGateway({ ...config, accounts }, { scenarios });
  await sendAirtime(sandbox, { amount: "100" });
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  await sendMessage(sandbox);
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  const details = await callRaw(sandbox, { method: "GET", path: DETAILS });
  return {
    bodies: receiver.requests.map(({ body }) => body),
    headers: receiver.requests[0]?.rawHeaders.map((text) => text.toLowerCase()) ?? [],
    details: await details.text(),
  };
}

test.each<[WrittenSettings, string, string, string]>([
  [{}, "95,9905,200", "0.8,9904.2,200", "9904.2"],
  [{ decimals: "fixed" }, "95.00,9905.00,200", "0.80,9904.20,200", "9904.20"],
  [{ callback_values: "text" }, '"95","9905","200"', '"0.8","9904.2","200"', "9904.2"],
  [{ callback_values: "text", decimals: "fixed" }, '"95.00","9905.00","200"', '"0.80","9904.20","200"', "9904.20"],
])("under %j the amounts and the result code of callbacks are %s and %s", async (config, first, second, left) => {
  const { bodies, details } = await callbacksUnder(config);

  expect(bodies.map(numbersOf)).toEqual([first, second]);
  expect(details).toContain(`"available_balance":${left},`);
});

/** The charge, the balance and the result code of a callback as they are written. */
function numbersOf(body: string): string | undefined {
  return /"charge":(\S+?),"account_balance":(\S+?),"result_code":(\S+?),/.exec(body)?.slice(1).join();
}

test.each([
  ["trimmed", "95 of 9905"],
  ["fixed", "95.00 of 9905.00"],
] as const)("decimals: %s writes the amounts of a scripted body as %s, too", async (decimals, body) => {
  const scripted = scenarioWith("name: r, then: { callback: { body: '{{charge}} of {{account_balance}}' } }");

  const { bodies } = await callbacksUnder({ decimals }, {}, [scripted]);

  expect(bodies[0]).toBe(body);
});

test("a callback carries the User-Agent and the Accept of the settings, and neither by default", async () => {
  const bare = await callbacksUnder({});
  const named = await callbacksUnder({}, { user_agent: "Apache-HttpClient/4.5", accept: "application/json" });

  expect(bare.headers).not.toContain("user-agent");
  expect(bare.headers).not.toContain("accept");
  expect(named.headers).toEqual(
    expect.arrayContaining(["user-agent", "apache-httpclient/4.5", "accept", "application/json"]),
  );
});
