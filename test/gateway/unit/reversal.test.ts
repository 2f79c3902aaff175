import { expect, test } from "vitest";
import { checkJournal } from "../../../src/gateway/account/check-journal.ts";
import { describeKnown } from "../../../src/gateway/account/readings/describe-order.ts";
import { readAccepted } from "../../../src/gateway/account/readings/request.ts";
import { readTimeline } from "../../../src/gateway/account/readings/timeline.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { cents, LARGEST_KES } from "../../../src/gateway/domain/kes.ts";
import { resend, topUp } from "../../../src/gateway/engine/commands.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { rule, script, scriptedWorld } from "../../support/gateway/scripted.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

const REVERSED = "callback: { times: 2, gap: 10s, reverse: true }";
const HOOK = callbacksTo("http://receiver.test/hook");

function transactionOf(account: RunningAccount, requestId: string) {
  const transaction = account.state.transactions.get(requestId);
  if (transaction === undefined) throw new Error(`no transaction ${requestId}`);
  return transaction;
}

test("a reversal gives the charge back, and the account says so everywhere", async () => {
  const { account } = await scriptedWorld(rule(`then: { ${REVERSED} }`));
  const { requestId } = buyAirtime(account, 100);

  await account.advance({ by: 60_000 }, 1_000);

  const transaction = transactionOf(account, requestId);
  expect(transaction.progress.state).toBe("reversed");
  expect(account.state.wallet).toEqual({ balance: 1_000_000, held: 0 });
  expect(account.journal.index.ledgerOf(requestId).map(({ kind, amount }) => [kind, amount])).toEqual([
    ["hold", -9_500],
    ["release", 9_500],
    ["charge", -9_500],
    ["refund", 9_500],
  ]);
  const reading = readAccepted(transaction);
  expect(reading).toMatchObject({
    isSold: false,
    delivered: { amount: 10_000 },
    charged: 0,
    refunded: 9_500,
    isNotified: true,
  });
  expect(describeKnown(reading)).toBe("delivered, then reversed");
  expect(readTimeline(transaction, account.journal.index.eventsOf(requestId), { limit: 3_000 })).toContainEqual(
    expect.objectContaining({
      title: "Reversal",
      text: "500 the success was taken back: KES 95.00 returned, KES 10,000.00 available (Airtime top-up of KES 100.00 to 254712345678 failed: the carrier could not complete it).",
    }),
  );
  expect(() => checkJournal(account.journal.read().events)).not.toThrow();
});

test("a reversal counts as pending until it is due", async () => {
  const { account } = await scriptedWorld(rule(`then: { ${REVERSED} }`));
  buyAirtime(account, 100);

  await account.advance({ by: 5_000 }, 1_000);

  expect({ pending: account.state.pending, balance: account.state.wallet.balance }).toEqual({
    pending: 1,
    balance: 990_500,
  });
});

test("a reversal happens without a callback URL, too", async () => {
  const { account } = testWorld();
  await script(account, rule(`then: { ${REVERSED} }`));
  const { requestId } = buyAirtime(account, 100);

  await account.advance({ by: 60_000 }, 1_000);

  expect(account.state.wallet.balance).toBe(1_000_000);
  expect(readAccepted(transactionOf(account, requestId))).toMatchObject({ known: "accepted", charged: 0 });
});

test("a failure is not reversed, only reported twice", async () => {
  const { account, sent } = await scriptedWorld(rule(`then: { result: { outcome: failed }, ${REVERSED} }`));
  const { requestId } = buyAirtime(account, 100);

  await account.advance({ by: 60_000 }, 1_000);

  expect(transactionOf(account, requestId).progress.state).toBe("failed");
  expect(account.state.wallet.balance).toBe(1_000_000);
  expect(sent[1]?.body).toBe(sent[0]?.body);
});

test("a callback that is sent again by hand after a reversal reports the reversal", async () => {
  const { account, sent } = await scriptedWorld(rule(`then: { ${REVERSED} }`));
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 60_000 }, 1_000);

  resend(account, [requestId]);
  await account.advance({ by: 0 }, 1_000);

  expect(sent.map(({ body }) => JSON.parse(body).result_code)).toEqual([200, 500, 500]);
  expect(sent[2]?.body).toBe(sent[1]?.body);
});

test("a reversal at the moment of the result comes before the callback that tells it", async () => {
  const { account, sent } = await scriptedWorld(
    rule("then: { callback: { times: 2, before_ack: true, reverse: true } }"),
  );
  const { requestId } = buyAirtime(account, 100);

  await account.advance({ by: 0 }, 1_000);

  expect(transactionOf(account, requestId).progress.state).toBe("reversed");
  expect(sent.map(({ body }) => JSON.parse(body).charge)).toEqual([95, 0]);
});

test("a reversal that was due while the process was down happens after a restart", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { callbacks: HOOK } });
  await script(before.account, rule(`then: { ${REVERSED} }`));
  buyAirtime(before.account, 100);
  await before.account.advance({ by: 5_000 }, 1_000);
  before.world.close();

  const { account } = restarted(store, { account: { callbacks: HOOK } });
  account.wake();
  await account.advance({ by: 60_000 }, 1_000);

  expect(account.state.wallet).toEqual({ balance: 1_000_000, held: 0 });
});

test("a reversal gives back to a full wallet what it can store, and time goes on", async () => {
  const { account } = await scriptedWorld(rule(`then: { ${REVERSED} }`));
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  topUp(account, cents(LARGEST_KES - 2_500 - account.state.wallet.balance));

  const { isComplete } = await account.advance({ by: 60_000 }, 1_000);

  expect(isComplete).toBe(true);
  expect(transactionOf(account, requestId).progress).toMatchObject({ state: "reversed", reversed: { refund: 2_500 } });
  expect(account.state.wallet.balance).toBe(LARGEST_KES);
});
