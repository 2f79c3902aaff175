import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { PROFILES, READINGS } from "../../../src/gateway/settings/readings.ts";
import { askDetails, sendAirtime, UUID } from "../../support/gateway/gateway-client.ts";
import { AUTHORIZATION, startTestGateway } from "../../support/gateway/test-gateway.ts";

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

test("account-details lists the product accounts of the config in every reading", async () => {
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

const ACCEPTED = { status_code: 200, description: "Operation successful." };
const UUID_OF_SPECIFICATION = "0f8fad5b-d9cb-469f-a165-70867728950e";
const ID_SEEN_LIVE = "Ab3Z0f8fad5bd9cb469fa16570867728950e9xY7";
const BROKE = { status_code: 402, description: "Insufficient funds." };
const INVALID = { validation_errors: { amount: ["The amount must be between 5 and 10000."] } };
const FULL_INVALID = { status_code: 422, description: "Validation failed.", ...INVALID };

/** What the gateway of each reading says to the three orders: accepted, an empty wallet, an amount of 1. */
const STAND_INS = {
  document: [
    [200, { ...ACCEPTED, request_id: UUID_OF_SPECIFICATION }],
    [402, { ...BROKE, request_id: UUID_OF_SPECIFICATION }],
    [422, { ...FULL_INVALID, request_id: UUID_OF_SPECIFICATION }],
  ],
  sdk: [
    [200, { ...ACCEPTED, request_id: UUID_OF_SPECIFICATION }],
    [402, { ...BROKE, request_id: UUID_OF_SPECIFICATION }],
    [422, { ...FULL_INVALID, request_id: UUID_OF_SPECIFICATION }],
  ],
  observed: [
    [200, { ...ACCEPTED, request_id: ID_SEEN_LIVE }],
    [402, { ...BROKE, request_id: null }],
    [422, INVALID],
  ],
} as const;

test.each(PROFILES)(
  "clients like the SDKs see from profile %s what they see from a stand-in for it",
  async (profile) => {
    const answers = [...STAND_INS[profile]];
    const standIn = createServer((_request, response) => {
      const [status, body] = answers.shift() ?? [500, {}];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    onTestFinished(() => void standIn.close());
    await once(standIn.listen(0, "127.0.0.1"), "listening");
    await using sandbox = await startTestGateway({ profile, accounts: [{ balance: "60" }] });

    expect(await seenAt(sandbox.port)).toEqual(await seenAt(portOf(standIn)));
  },
);

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Sends three orders and reads the answers as both SDKs do: by the HTTP status alone, with the errors of a 422 and an id that is any text. */
async function seenAt(port: number): Promise<unknown[]> {
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  const seen = [];
  for (const amount of ["50", "500", "1"]) {
    const body = JSON.stringify({ phone_number: "254712345678", amount });
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/airtime`, { method: "POST", headers, body });
    const answer: Readonly<Record<string, unknown>> = JSON.parse(await response.text());
    const id = answer["request_id"];
    seen.push({
      outcome: OUTCOMES[response.status],
      keys: Object.keys(answer),
      idLength: typeof id === "string" ? id.length : id,
      invalid: Object.keys(answer["validation_errors"] ?? {}),
    });
  }
  return seen;
}

const OUTCOMES: Readonly<Record<number, string>> = {
  200: "accepted",
  402: "insufficient funds",
  422: "validation failed",
};

test("the readings differ in nothing but what is known to differ", () => {
  const { document, sdk, observed } = READINGS;

  expect(sdk).toEqual({
    ...document,
    refusals: { ...document.refusals, limits: "trimmed" },
    account_details: { top_up_code: "mpesa", accounts: "sender_ids" },
    phone_numbers: "lenient",
  });
  expect(observed).toEqual({
    ...sdk,
    request_id: "padded",
    refusals: { request_id: null, validation: "bare", limits: "trimmed" },
  });
});
