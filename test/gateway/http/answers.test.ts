import { expect, test } from "vitest";
import {
  AIRTIME,
  askDetails,
  callGateway,
  callRaw,
  sendAirtime,
  sendMessage,
  UUID,
} from "../../support/gateway/gateway-client.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

/** Every field of an answer by its path, with its JSON type; UUIDs are told apart from other strings. */
function typesOf(value: unknown, path = ""): Record<string, string> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map((item) => typesOf(item, `${path}[]`)));
  if (typeof value === "object" && value !== null)
    return Object.assign(
      {},
      ...Object.entries(value).map(([key, inner]) => typesOf(inner, path === "" ? key : `${path}.${key}`)),
    );
  return { [path]: typeof value === "string" && UUID.test(value) ? "uuid" : typeof value };
}

/** Section 2.3 of the gateway's document. */
const ACKNOWLEDGMENT = { status_code: "number", description: "string", request_id: "uuid" };

/** Section 2.5, without the field that is named after a payment brand. */
const DETAILS = {
  status_code: "number",
  description: "string",
  request_id: "uuid",
  "organization.name": "string",
  "organization.details.available_balance": "number",
  "organization.details.location": "string",
  "organization.details.website": "string",
  "organization.details.office_email": "string",
  "organization.details.office_mobile": "string",
  "organization.accounts[].account": "string",
  "organization.accounts[].service_name": "string",
};

test.each([
  ["airtime", sendAirtime],
  ["an SMS", sendMessage],
])("acknowledges %s with the three fields of section 2.3 and nothing else", async (_what, send) => {
  await using sandbox = await startTestGateway();

  const { status, headers, body } = await send(sandbox);

  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json");
  expect(typesOf(body)).toEqual(ACKNOWLEDGMENT);
  expect(body).toMatchObject({ status_code: 200, description: "Operation successful." });
});

test.each([
  ["document", "mobilemoney_account_top_up_code"],
  ["sdk", "mpesa_account_top_up_code"],
] as const)(
  "answers account-details in profile %s with the fields of section 2.5 and %s, nothing else",
  async (profile, topUpCode) => {
    await using sandbox = await startTestGateway({ profile });

    const { status, headers, body } = await askDetails(sandbox);

    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(typesOf(body)).toEqual({ ...DETAILS, [`organization.details.${topUpCode}`]: "string" });
  },
);

test("names one product account each for airtime and sms, and a phone number with a plus", async () => {
  await using sandbox = await startTestGateway();

  const { body } = await askDetails(sandbox);

  expect(body).toMatchObject({
    organization: {
      details: { available_balance: 10_000, office_mobile: expect.stringMatching(/^\+254\d{9}$/) },
      accounts: [{ service_name: "airtime" }, { service_name: "sms" }],
    },
  });
});

test("answers with the organization that the config describes", async () => {
  const organization = {
    name: "Mfano Ltd",
    location: "Nairobi - Westlands",
    website: "https://mfano.example",
    office_email: "ofisi@mfano.example",
    office_mobile: "+254712000000",
    top_up_code: "B9E573",
    accounts: [{ account: "mfano", service_name: "sms" }],
  };
  await using sandbox = await startTestGateway({ accounts: [{ organization, balance: "695.15" }] });

  const { body } = await askDetails(sandbox);

  expect(body).toEqual({
    status_code: 200,
    description: "Operation successful.",
    request_id: expect.stringMatching(UUID),
    organization: {
      name: "Mfano Ltd",
      details: {
        available_balance: 695.15,
        location: "Nairobi - Westlands",
        website: "https://mfano.example",
        office_email: "ofisi@mfano.example",
        office_mobile: "+254712000000",
        mobilemoney_account_top_up_code: "B9E573",
      },
      accounts: [{ account: "mfano", service_name: "sms" }],
    },
  });
});

test("subtracts what is held from the available balance", async () => {
  await using sandbox = await startTestGateway();
  await sendAirtime(sandbox, { amount: "100" });

  const { body } = await askDetails(sandbox);

  expect(body).toMatchObject({ organization: { details: { available_balance: 9_905 } } });
});

test("ignores query parameters and fields that it does not know", async () => {
  await using sandbox = await startTestGateway();

  const { status } = await callGateway(sandbox, {
    path: `${AIRTIME}?retry=1`,
    body: { phone_number: "254712345678", amount: "100", callback_url: "http://example.com", nested: [{ deep: {} }] },
  });

  expect(status).toBe(200);
});

test("gives the same order another id with a key that is not known, under a seed too", async () => {
  await using sandbox = await startTestGateway({ seed: 7 });
  const order = { path: AIRTIME, body: { phone_number: "254712345678", amount: "100" } };

  const refused = await callGateway(sandbox, {
    ...order,
    headers: { authorization: `Basic ${btoa("unknown:secret")}` },
  });
  const sold = await callGateway(sandbox, order);

  expect([refused.status, sold.status]).toEqual([401, 200]);
  expect(refused.body["request_id"]).not.toBe(sold.body["request_id"]);
});

test("gives refusals stable ids, too", async () => {
  await using first = await startTestGateway({ seed: 7 });
  await using second = await startTestGateway({ seed: 7 });

  const refused = await sendAirtime(first, { amount: "1" });
  const again = await sendAirtime(second, { amount: "1" });

  expect(refused.body["request_id"]).toMatch(UUID);
  expect(again.body).toEqual(refused.body);
});

test.each([
  [AIRTIME, "POST, OPTIONS"],
  ["/api/v2/sms", "POST, OPTIONS"],
  ["/api/v2/account-details", "GET, HEAD, OPTIONS"],
])("answers OPTIONS on %s with the allowed methods, and journals nothing", async (path, allow) => {
  await using sandbox = await startTestGateway();

  const response = await callRaw(sandbox, { method: "OPTIONS", path });

  expect(response.status).toBe(204);
  expect(response.headers.get("allow")).toBe(allow);
  expect(sandbox.account.state.requests + sandbox.running.world.sandbox.state.requests).toBe(0);
});

test("answers OPTIONS on an unknown path with 404", async () => {
  await using sandbox = await startTestGateway();

  const { status, body } = await callGateway(sandbox, { method: "OPTIONS", path: "/api/v2/nothing" });

  expect(status).toBe(404);
  expect(body).toMatchObject({ status_code: 404 });
});
