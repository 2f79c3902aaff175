import { expect, test } from "vitest";
import { PROFILES } from "../../../src/gateway/settings/profiles.ts";
import { askDetails, sendAirtime, UUID } from "../../support/gateway/gateway-client.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

const PADDED = /^[0-9A-Za-z]{4}[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}[0-9A-Za-z]{4}$/;

test.each([
  ["document", UUID],
  ["sdk", UUID],
  ["observed", PADDED],
] as const)("with profile %s every request_id has its form, and is a function of the seed", async (profile, form) => {
  const idsOf = async (): Promise<unknown[]> => {
    await using sandbox = await startTestGateway({ profile, seed: 7 });
    const answers = [await sendAirtime(sandbox), await sendAirtime(sandbox), await askDetails(sandbox)];
    return answers.map(({ body }) => body["request_id"]);
  };

  const ids = await idsOf();

  expect(ids).toEqual(ids.map(() => expect.stringMatching(form)));
  expect(new Set(ids).size).toBe(3);
  expect(await idsOf()).toEqual(ids);
});

test.each([
  ["document", { status_code: 402, description: "Insufficient funds.", request_id: expect.stringMatching(UUID) }],
  ["sdk", { status_code: 402, description: "Insufficient funds.", request_id: expect.stringMatching(UUID) }],
  ["observed", { status_code: 402, description: "Insufficient funds.", request_id: null }],
] as const)("with profile %s an empty wallet is refused with this body", async (profile, refusal) => {
  await using sandbox = await startTestGateway({ profile, accounts: [{ balance: "1" }] });

  const { status, body } = await sendAirtime(sandbox);

  expect(status).toBe(402);
  expect(body).toEqual(refusal);
});

const FULL = { status_code: 422, description: "Validation failed.", request_id: expect.stringMatching(UUID) };

test.each([
  ["document", { ...FULL, validation_errors: { amount: ["The amount must be between 5.00 and 10000.00."] } }],
  ["sdk", { ...FULL, validation_errors: { amount: ["The amount must be between 5 and 10000."] } }],
  ["observed", { validation_errors: { amount: ["The amount must be between 5 and 10000."] } }],
] as const)("with profile %s an amount of 1 is refused with this body", async (profile, refusal) => {
  await using sandbox = await startTestGateway({ profile });

  const { status, body } = await sendAirtime(sandbox, { amount: "1" });

  expect(status).toBe(422);
  expect(body).toEqual(refusal);
});

test("a refusal's request_id is padded if there is one", async () => {
  await using sandbox = await startTestGateway({ request_id: "padded" });

  const { body } = await sendAirtime(sandbox, { amount: "1" });

  expect(body["request_id"]).toMatch(PADDED);
});

test.each(["sdk", "observed"] as const)(
  "with profile %s account-details lists the registered sender IDs",
  async (profile) => {
    await using sandbox = await startTestGateway({ profile, accounts: [{ sender_ids: ["Statum", "CONNECT"] }] });

    const { body } = await askDetails(sandbox);

    expect(body["organization"]).toMatchObject({
      accounts: [
        { account: "Statum", service_name: "sms" },
        { account: "CONNECT", service_name: "sms" },
      ],
    });
  },
);

test("account-details lists the product accounts of the config under every profile", async () => {
  const accounts = [{ account: "mfano", service_name: "sms" }];
  await using sandbox = await startTestGateway({ profile: "observed", accounts: [{ organization: { accounts } }] });

  const { body } = await askDetails(sandbox);

  expect(body["organization"]).toMatchObject({ accounts });
});

test.each(PROFILES)("with profile %s the same order again is accepted", async (profile) => {
  await using sandbox = await startTestGateway({ profile });

  const answers = [await sendAirtime(sandbox), await sendAirtime(sandbox)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});
