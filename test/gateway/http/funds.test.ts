import { expect, test } from "vitest";
import { askDetails, sendAirtime, sendMessage, UUID } from "../../support/gateway/gateway-client.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

const INSUFFICIENT = { status_code: 402, description: "Insufficient funds.", request_id: expect.stringMatching(UUID) };

test.each([
  ["airtime", sendAirtime, "94.99"],
  ["an SMS", sendMessage, "0.79"],
])(
  "refuses %s that the wallet lacks a cent for, with a request_id, and touches no money",
  async (_what, send, balance) => {
    await using sandbox = await startTestGateway({ accounts: [{ balance }] });

    const { status, body } = await send(sandbox);

    const details = await askDetails(sandbox);
    expect(status).toBe(402);
    expect(body).toEqual(INSUFFICIENT);
    expect(details.body).toMatchObject({ organization: { details: { available_balance: Number(balance) } } });
    expect(sandbox.account.state.wallet).toMatchObject({ held: 0 });
    expect(sandbox.account.state.transactions.size).toBe(0);
  },
);

test.each([
  ["airtime", sendAirtime, "95"],
  ["an SMS", sendMessage, "0.80"],
])("accepts %s that the wallet can just pay", async (_what, send, balance) => {
  await using sandbox = await startTestGateway({ accounts: [{ balance }] });

  const answers = [await send(sandbox), await send(sandbox)];

  expect(answers.map(({ status }) => status)).toEqual([200, 402]);
});

test("accepts what cannot be paid and fails it by callback, where insufficient_funds says so", async () => {
  await using sandbox = await startTestGateway({
    insufficient_funds: "fail_by_callback",
    accounts: [{ balance: "1", callbacks: { airtime: "kredo:sink" } }],
  });

  const { status, body } = await sendAirtime(sandbox);
  const { fired } = await sandbox.account.advance({ by: 60_000 }, 1_000);

  const { progress } = sandbox.account.state.transactions.get(String(body["request_id"])) ?? {};
  expect(status).toBe(200);
  expect(fired).toHaveLength(1);
  expect(progress).toMatchObject({ settled: { outcome: "failed", resultCode: 402, charge: 0, available: 100 } });
});

test("answers a fault of its own with the name of a report and no stack", async () => {
  await using sandbox = await startTestGateway();
  const fault = new Error("the observer broke");
  sandbox.account.journal.observe(() => {
    throw fault;
  });

  const { status, headers, body } = await sendAirtime(sandbox);

  expect(status).toBe(500);
  expect(headers.get("content-type")).toBe("application/json");
  expect(body).toEqual({
    status_code: 500,
    description: "Internal server error. Report report-1.",
    request_id: expect.stringMatching(UUID),
  });
  expect(sandbox.faults).toEqual([fault]);
});
