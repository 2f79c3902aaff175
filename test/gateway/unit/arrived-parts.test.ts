import { expect, test } from "vitest";
import { readAccepted } from "../../../src/gateway/account/readings/request.ts";
import type { Transaction } from "../../../src/gateway/account/transaction.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { type Settlement, settleNow } from "../../../src/gateway/engine/commands.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { sendSms, testWorld, type TestWorldOptions } from "../../support/gateway/world.ts";

/** Three parts, KES 2.40. */
const LONG = "a".repeat(400);
const POOR: TestWorldOptions = {
  account: { balance: cents(10) },
  gateway: { insufficient_funds: "fail_by_callback" },
};

interface Case {
  readonly result: string;
  readonly world?: TestWorldOptions;
  readonly byHand?: Settlement;
  readonly arrived: "all" | "nothing" | readonly number[];
  readonly code: number;
  readonly charge: number;
}

test.each<Case>([
  { result: "delivered_parts: 1", arrived: [1], code: 500, charge: 80 },
  { result: "lost_parts: [2]", arrived: [1, 3], code: 500, charge: 160 },
  { result: "delivered_parts: 1, result_code: 504", arrived: [1], code: 504, charge: 80 },
  { result: "delivered_parts: 0", arrived: "nothing", code: 500, charge: 0 },
  { result: "delivered_parts: 3", arrived: "all", code: 200, charge: 240 },
  { result: "delivered_parts: 1, result_code: 200", arrived: "all", code: 200, charge: 240 },
  { result: "delivered_parts: 1", world: POOR, arrived: "nothing", code: 402, charge: 0 },
  { result: "outcome: success", world: POOR, arrived: "nothing", code: 402, charge: 0 },
  {
    result: "delivered_parts: 1",
    byHand: { resultCode: 500, resultDesc: "" },
    arrived: "nothing",
    code: 500,
    charge: 0,
  },
  { result: "delivered_parts: 1", byHand: { resultCode: 200, resultDesc: "" }, arrived: "all", code: 200, charge: 240 },
])("of an SMS with { $result } that settles with $code, $arrived arrives", async (one) => {
  const { result, world, byHand, arrived, code, charge } = one;
  const { account } = testWorld(world);
  await script(account, rule(`when: { operation: sms }, then: { result: { ${result} } }`));
  const { requestId } = sendSms(account, LONG);

  if (byHand !== undefined) settleNow(account, requestId, byHand);
  await account.advance({ by: 60_000 }, 1_000);

  const transaction = account.state.transactions.get(requestId);
  const inbox = account.journal.index.messages.map(({ deliveredParts }) => deliveredParts ?? "all");
  expect(transaction?.progress).toMatchObject({ settled: { resultCode: code, charge } });
  expect(transaction && arrivedOf(transaction)).toEqual(arrived);
  expect(inbox).toEqual(arrived === "nothing" ? [] : [arrived]);
});

function arrivedOf(transaction: Transaction): Case["arrived"] {
  const { delivered } = readAccepted(transaction);
  if (delivered === undefined) return "nothing";
  return "parts" in delivered ? (delivered.parts ?? "all") : "all";
}
