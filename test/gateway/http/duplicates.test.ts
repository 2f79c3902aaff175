import { expect, test } from "vitest";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { PROFILES } from "../../../src/gateway/settings/profiles.ts";
import { askDetails, sendAirtime } from "../../support/gateway/gateway-client.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { startTestGateway, type WrittenSettings } from "../../support/gateway/test-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

const MINUTE = 60_000;

/** What is told of an order, of its repeat after this time, and what is left of 10,000.00 then. */
async function repeatAfter(wait: number, settings: WrittenSettings, effect?: string) {
  await using receiver = await receiveHttp((_request, response) => response.end("ok"));
  await using sandbox = await startTestGateway(settings);
  setCallbacks(sandbox.account, callbacksTo(receiver.url));
  if (effect !== undefined) await script(sandbox.account, rule(effect));
  const first = await sendAirtime(sandbox);
  await sandbox.account.advance({ by: wait }, 5_000);
  const again = await sendAirtime(sandbox);
  await sandbox.account.advance({ by: MINUTE }, 5_000);
  const { body } = await askDetails(sandbox);
  return {
    statuses: [first.status, again.status],
    results: receiver.requests.map(({ body: text }): unknown => JSON.parse(text).result_code),
    body,
    last: receiver.requests.at(-1)?.body,
  };
}

const left = (available_balance: number) => ({ organization: { details: { available_balance } } });

test.each(PROFILES)("with profile %s the same order again within five minutes is accepted", async (profile) => {
  expect(await repeatAfter(MINUTE, { profile })).toMatchObject({
    statuses: [200, 200],
    results: [200, 200],
    body: left(9_810),
  });
});

test.each(PROFILES)("with profile %s it is refused if duplicates says so", async (profile) => {
  expect(await repeatAfter(MINUTE, { profile, duplicates: "refuse" })).toMatchObject({
    statuses: [200, 422],
    results: [200],
    body: left(9_905),
  });
});

test.each(PROFILES)(
  "with profile %s it is accepted and fails by its callback if duplicates says so",
  async (profile) => {
    const { last, ...told } = await repeatAfter(MINUTE, { profile, duplicates: "fail_by_callback" });

    expect(told).toMatchObject({ statuses: [200, 200], results: [200, 422], body: left(9_905) });
    expect(JSON.parse(last ?? "")).toMatchObject({
      charge: 0,
      account_balance: 9_905,
      result_desc: "Airtime top-up of KES 100.00 to 254712345678 failed: the same order came shortly before.",
    });
  },
);

test.each([
  ["refuse", "5m", 5 * MINUTE - 1, [200, 422]],
  ["refuse", "5m", 5 * MINUTE, [200, 200]],
  ["refuse", "10m", 5 * MINUTE, [200, 422]],
  ["fail_by_callback", "5m", 5 * MINUTE - 1, [200, 422]],
  ["fail_by_callback", "5m", 5 * MINUTE, [200, 200]],
  ["fail_by_callback", "1m", MINUTE, [200, 200]],
] as const)(
  "with duplicates %s and a window of %s, a repeat after %i ms gets %j",
  async (duplicates, duplicate_window, wait, codes) => {
    const { statuses, results } = await repeatAfter(wait, { duplicates, duplicate_window });

    expect(duplicates === "refuse" ? statuses : results).toEqual(codes);
  },
);

test("a scenario cannot deliver a repeat that nobody paid", async () => {
  const told = await repeatAfter(MINUTE, { duplicates: "fail_by_callback" }, "then: { result: { outcome: success } }");

  expect(told).toMatchObject({ results: [200, 422], body: left(9_905) });
});

test("the code of a repeat that fails is a setting", async () => {
  const { results } = await repeatAfter(MINUTE, { duplicates: "fail_by_callback", result_codes: { duplicate: 409 } });

  expect(results).toEqual([200, 409]);
});
