import { expect, test } from "vitest";
import { sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { type PlayedScenario, playShipped, walletOf } from "../../support/gateway/shipped.ts";
import { WALL_START } from "../../support/gateway/world.ts";

const SAFARICOM = "254712345678";
const AIRTEL = "254733000001";
const TELKOM = "254770000002";

test("carrier-outage-with-backlog-burst: Airtel's results wait and come at once, in order, while others are on time", async () => {
  await using played = await playShipped("carrier-outage-with-backlog-burst");

  await sendAirtime(played, { phone_number: AIRTEL, amount: "10" });
  await played.advance(10);
  const before = amountsOf(played);
  const acks = [
    await sendAirtime(played, { phone_number: AIRTEL, amount: "20" }),
    await sendAirtime(played, { phone_number: SAFARICOM, amount: "30" }),
    await sendMessage(played, { phone_number: AIRTEL }),
    await sendAirtime(played, { phone_number: AIRTEL, amount: "40" }),
  ];
  await played.advance(29.999);
  const during = amountsOf(played);
  const { held } = walletOf(played);
  const burst = await played.advance(0.001);

  expect(acks.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect({ before, during }).toEqual({ before: [9.5], during: [9.5, 28.5] });
  expect(held).toBe(57.8);
  expect(amountsOf(played)).toEqual([9.5, 28.5, 19, 0.8, 38]);
  expect(burst.map(({ at }) => at - WALL_START)).toEqual([40_000, 40_000, 40_000]);
});

test("sms-rejected-by-one-carrier: Airtel rejects its SMS, and only those", async () => {
  await using played = await playShipped("sms-rejected-by-one-carrier");

  const acks = [
    await sendMessage(played, { phone_number: SAFARICOM }),
    await sendMessage(played, { phone_number: AIRTEL }),
    await sendMessage(played, { phone_number: TELKOM }),
    await sendAirtime(played, { phone_number: AIRTEL }),
  ];
  await played.advance(10);

  expect(acks.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(played.callbacks().map(({ request_id }) => request_id)).toEqual(acks.map(({ body }) => body["request_id"]));
  expect(played.callbacks()).toMatchObject([
    { result_code: 200, result_desc: "Message delivered." },
    { result_code: 403, result_desc: "Message rejected.", charge: 0 },
    { result_code: 200, result_desc: "Message delivered." },
    { result_code: 200, charge: 95 },
  ]);
});

test("ported-number: the carrier decides, not the prefix", async () => {
  await using played = await playShipped("ported-number", { settings: { carriers: { airtel: { discount: "6%" } } } });

  await sendAirtime(played, { phone_number: "254722000111" });
  await sendAirtime(played, { phone_number: "254733000222" });
  await sendAirtime(played, { phone_number: "254722000112" });
  const { held } = walletOf(played);
  await played.advance(10);

  // Airtel's discount for the first one, Safaricom's for the others.
  expect(held).toBe(94 + 95 + 95);
  expect(played.callbacks().map(({ result_code, charge }) => [result_code, charge])).toEqual([
    [500, 0],
    [200, 95],
    [200, 95],
  ]);
  expect(
    [...played.account.state.transactions.values()].map(({ accepted }) => [accepted.carrier, accepted.ported]),
  ).toEqual([
    ["airtel", true],
    ["safaricom", true],
    ["safaricom", false],
  ]);
});

/** What the callbacks say was charged, in order. */
function amountsOf(played: PlayedScenario): unknown[] {
  return played.callbacks().map(({ charge }) => charge);
}
