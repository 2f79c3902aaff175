import { expect, test } from "vitest";
import { askDetails, sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { playShipped, walletOf } from "../../support/gateway/shipped.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { topUp } from "../../../src/gateway/engine/commands.ts";

test("happy-path: accepted, carried out a second later, charged and called back once", async () => {
  await using played = await playShipped("happy-path", { settings: { latency_ms: 60_000 } });

  const acks = [await sendAirtime(played), await sendMessage(played)];
  const early = await played.advance(0.999);
  await played.advance(0.001);
  await played.advance(3_600);

  expect(acks.map(({ status }) => status)).toEqual([200, 200]);
  expect(early).toEqual([]);
  expect(played.callbacks()).toEqual([
    {
      request_id: acks[0]?.body["request_id"],
      charge: 95,
      account_balance: 9_904.2,
      result_code: 200,
      result_desc: "Airtime top-up of KES 100.00 to 254712345678 was successful.",
    },
    {
      request_id: acks[1]?.body["request_id"],
      charge: 0.8,
      account_balance: 9_904.2,
      result_code: 200,
      result_desc: "Message delivered.",
    },
  ]);
});

test("wallet-runs-dry: pays for two top-ups, refuses the third, and goes on after a top-up", async () => {
  await using played = await playShipped("wallet-runs-dry");

  const told = [await sendAirtime(played), await sendAirtime(played), await sendAirtime(played)];
  await played.advance(10);
  const dry = walletOf(played);
  const small = await sendMessage(played);
  topUp(played.account, cents(50_000));
  const again = await sendAirtime(played);
  await played.advance(10);

  expect(told.map(({ status }) => status)).toEqual([200, 200, 402]);
  expect(told[2]?.body).toMatchObject({ status_code: 402, description: "Insufficient funds." });
  expect(dry).toEqual({ available: 10, held: 0 });
  expect({ small: small.status, again: again.status }).toEqual({ small: 200, again: 200 });
  expect(played.callbacks().map(({ charge, account_balance }) => [charge, account_balance])).toEqual([
    [95, 10],
    [95, 10],
    [0.8, 414.2],
    [95, 414.2],
  ]);
});

test("last-shilling-race: of two requests at once one wins, and the wallet ends at nothing", async () => {
  await using played = await playShipped("last-shilling-race");

  const told = await Promise.all([sendAirtime(played), sendAirtime(played, { phone_number: "254733000001" })]);
  const during = walletOf(played);
  const early = await played.advance(4);
  await played.advance(1);

  expect(told.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 402]);
  expect(during).toEqual({ available: 0, held: 95 });
  expect(early).toEqual([]);
  expect(played.callbacks()).toMatchObject([{ charge: 95, account_balance: 0, result_code: 200 }]);
  expect(walletOf(played)).toEqual({ available: 0, held: 0 });
});

const PLAIN = "Habari, your order's on its way. ".repeat(5).slice(0, 160);

test("unicode-bill-shock: one curly quote makes a text of 160 characters three times as dear, and the fourth is refused", async () => {
  await using played = await playShipped("unicode-bill-shock");
  const curly = PLAIN.replace("'", "’");

  const told = [];
  told.push(await sendMessage(played, { message: curly }), await sendMessage(played, { message: curly }));
  told.push(await sendMessage(played, { message: curly }), await sendMessage(played, { message: curly }));
  await played.advance(10);

  expect({ plain: PLAIN.length, curly: curly.length }).toEqual({ plain: 160, curly: 160 });
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 402]);
  expect(played.callbacks().map(({ charge }) => charge)).toEqual([2.4, 2.4, 2.4]);
  expect(walletOf(played)).toEqual({ available: 0.8, held: 0 });
});

test("unicode-bill-shock: the same text in plain characters is one part, ten times", async () => {
  await using played = await playShipped("unicode-bill-shock");

  const told = await Promise.all(Array.from({ length: 11 }, () => sendMessage(played, { message: PLAIN })));
  const { body } = await askDetails(played);

  expect(told.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 402]);
  expect(body).toMatchObject({ organization: { details: { available_balance: 0 } } });
});
