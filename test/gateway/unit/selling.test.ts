import { describe, expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { setBalance, settleNow } from "../../../src/gateway/engine/commands.ts";
import { buyAirtime, callbacksTo, sendSms, testWorld } from "../../support/gateway/world.ts";

const AIRTEL = "254733000001";
const callbacks = callbacksTo("http://receiver.test/hook");
/** A sender ID that Safaricom alone knows. */
const senderIds = [{ sender_id: "SANDBOX", carriers: ["safaricom"] }] as const;

describe("an order that is accepted", () => {
  test("holds its price and says what will become of it", () => {
    const { account } = testWorld();

    const accepted = buyAirtime(account, 100, AIRTEL);

    expect(accepted).toMatchObject({
      carrier: "airtel",
      ported: false,
      hold: 9_500,
      plan: { settleAfter: 1_000, charge: 9_500, result: { outcome: "success", resultCode: 200 } },
    });
    expect(account.state.wallet.held).toBe(9_500);
  });
});

describe("an order that cannot be paid", () => {
  test("is accepted and fails by callback where the settings say so, without a hold and without a charge", async () => {
    const gateway = { insufficient_funds: "fail_by_callback", charge_failed_sms: true } as const;
    const { account, sent } = testWorld({ account: { balance: cents(79), callbacks }, gateway });
    const accepted = sendSms(account, "Habari");

    await account.advance({ by: 1_000 }, 0);

    expect(accepted).toMatchObject({ hold: 0, plan: { result: { outcome: "insufficient_funds" } } });
    expect(bodies(sent)).toMatchObject([
      { request_id: accepted.requestId, charge: 0, account_balance: 0.79, result_code: 402 },
    ]);
  });

  test("is not helped by a top-up that comes later", async () => {
    const { account } = testWorld({
      account: { balance: cents(0) },
      gateway: { insufficient_funds: "fail_by_callback" },
    });
    const { requestId } = buyAirtime(account, 100);
    setBalance(account, cents(100_000));

    await account.advance({ by: 1_000 }, 0);

    expect(account.state.transactions.get(requestId)?.progress.state).toBe("failed");
    expect(account.state.wallet).toEqual({ balance: 100_000, held: 0 });
  });
});

describe("an SMS whose sender ID this number's carrier does not know", () => {
  test.each([
    [false, 0, 10_000],
    [true, 0.8, 9_999.2],
  ])("is accepted, then rejected by callback; charge for failed SMS: %s", async (chargeFailedSms, charge, balance) => {
    const { account, sent } = testWorld({
      account: { callbacks, sender_ids: senderIds },
      gateway: { charge_failed_sms: chargeFailedSms },
    });
    const accepted = sendSms(account, "Habari", AIRTEL);

    await account.advance({ by: 1_000 }, 0);

    expect(accepted.hold).toBe(80);
    expect(bodies(sent)).toMatchObject([
      { result_code: 403, result_desc: "Message rejected.", charge, account_balance: balance },
    ]);
    expect(account.state.wallet.held).toBe(0);
  });
});

test.each([
  [false, 0],
  [true, 80],
])(
  "a failed top-up costs nothing and a failed SMS as the settings say (%s): %i cents",
  async (chargeFailedSms, cost) => {
    const { account } = testWorld({ gateway: { charge_failed_sms: chargeFailedSms } });
    const [topUp, message] = [buyAirtime(account, 100), sendSms(account, "Habari")];

    settleNow(account, topUp.requestId, { resultCode: 500, resultDesc: "Failed." });
    settleNow(account, message.requestId, { resultCode: 500, resultDesc: "Failed." });

    expect(account.state.wallet).toEqual({ balance: 1_000_000 - cost, held: 0 });
  },
);

test("a transaction that is over cannot be settled again", () => {
  const { account } = testWorld();
  const { requestId } = buyAirtime(account, 100);
  settleNow(account, requestId, undefined);

  const again = () => settleNow(account, requestId, undefined);

  expect(again).toThrow(
    expect.objectContaining({ kind: "conflict", repair: expect.stringContaining("resend delivers its callback") }),
  );
});

describe("the same airtime again", () => {
  const gateway = { duplicates: "refuse" } as const;

  test("is taken when the first was refused", () => {
    const { account } = testWorld({ gateway, account: { balance: cents(949) } });
    expect(() => buyAirtime(account, 10)).toThrow(expect.objectContaining({ code: 402 }));

    setBalance(account, cents(950));

    expect(buyAirtime(account, 10)).toMatchObject({ kind: "accepted" });
  });
});

test("an SMS settles without a callback URL, and says why none was sent", async () => {
  const { account, sent } = testWorld();
  const { requestId } = sendSms(account, "Habari");

  await account.advance({ by: 1_000 }, 0);

  expect(account.state.transactions.get(requestId)?.progress).toMatchObject({
    state: "succeeded",
    settled: { callback: { none: "no callback URL registered for sms" } },
  });
  expect(sent).toEqual([]);
});

function bodies(sent: readonly { body: string }[]): unknown[] {
  return sent.map(({ body }): unknown => JSON.parse(body));
}
