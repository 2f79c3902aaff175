import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { PROFILES } from "../../../src/gateway/settings/profiles.ts";
import { AIRTIME, callRaw, SMS, VALID_AIRTIME, VALID_SMS } from "../../support/gateway/gateway-client.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { basic, startTestGateway, type TestGateway, type WrittenSettings } from "../../support/gateway/test-gateway.ts";

/** Each way in which a gateway may write its refusals. */
const FORMS: readonly WrittenSettings[] = [
  ...PROFILES.map((profile) => ({ profile })),
  ...(["id", null] as const).flatMap((request_id) =>
    (["full", "bare", "nested", "root"] as const).map((validation) => ({ refusals: { request_id, validation } })),
  ),
  { http_status: "always_200", refusals: { request_id: null, validation: "bare" } },
];

/** No carrier serves numbers with this prefix, unless the settings say so. */
const UNASSIGNED = "254747123456";
const SERVED = { numbers: { prefixes: { "747": "safaricom" } } } as const;

/** How the gateway itself comes to refuse a request. */
const REALLY: Readonly<Record<number, (form: WrittenSettings, path: string) => Promise<string>>> = {
  401: async (form, path) => {
    await using gateway = await startTestGateway(form);
    return await refusedAt(gateway, path, { authorization: basic("sandbox-key", "wrong") });
  },
  402: async (form, path) => {
    await using gateway = await startTestGateway({ ...form, ...SERVED, accounts: [{ balance: "0" }] });
    return await refusedAt(gateway, path);
  },
  422: async (form, path) => {
    await using gateway = await startTestGateway(form);
    return await refusedAt(gateway, path);
  },
  429: async (form, path) => {
    await using gateway = await startTestGateway({ ...form, ...SERVED });
    await script(gateway.account, "setup: { rate_limit: { requests: 1, per: 1s } }");
    await refusedAt(gateway, path);
    return await refusedAt(gateway, path);
  },
};

const TABLE = FORMS.flatMap((form) =>
  [AIRTIME, SMS].flatMap((path) =>
    Object.keys(REALLY).map((code) => ({ code: Number(code), path, written: JSON.stringify(form), form })),
  ),
);

test.each(TABLE)("a scenario's $code at $path is the gateway's own, byte for byte: $written", async (row) => {
  const { code, path, form } = row;
  await using gateway = await startTestGateway({ ...form, ...SERVED });
  await script(gateway.account, rule(`then: { refuse: ${code} }`));

  const scripted = await refusedAt(gateway, path);

  expect(scripted).toBe(await REALLY[code]?.(form, path));
});

const UNSEEN = FORMS.flatMap((form) =>
  Object.entries({ 403: "Access denied.", 500: "Internal server error." }).map(([code, description]) => ({
    code,
    description,
    written: JSON.stringify(form),
    form,
  })),
);

// Nothing but a scenario brings these about: a 500 of the gateway itself is a fault of Kredo.
test.each(UNSEEN)("a scenario's $code has the form of a 402: $written", async ({ code, description, form }) => {
  await using gateway = await startTestGateway({ ...form, ...SERVED });
  await script(gateway.account, rule(`then: { refuse: ${code} }`));

  const scripted = await refusedAt(gateway, AIRTIME);

  const unaffordable = await REALLY[402]?.(form, AIRTIME);
  expect(scripted).toBe(unaffordable?.replaceAll("402", code).replace("Insufficient funds.", description));
});

test("a scenario's own 422 keeps its sentences, and one with a body of its own names no field", async () => {
  await using gateway = await startTestGateway(SERVED);
  await script(gateway.account, rule("then: { refuse: { status: 422, validation_errors: { amount: [Too much.] } } }"));
  const own = await refusedAt(gateway, AIRTIME);
  await script(gateway.account, rule("then: { refuse: { status: 422, body: '{}' } }"));

  const raw = await refusedAt(gateway, AIRTIME);

  expect(own).toContain(String.raw`\"validation_errors\":{\"amount\":[\"Too much.\"]}`);
  expect(raw).toContain('"body":"{}"');
  expect(gateway.account.journal.read().events.flatMap(fieldsOf)).toEqual(["amount"]);
});

function fieldsOf(event: AccountEvent): string[] {
  return event.kind === "refused" ? Object.keys(event.validationErrors ?? {}) : [];
}

/** Returns status, headers and body of the answer to an order, but for the request's own id and what hints add. */
async function refusedAt(gateway: TestGateway, path: string, headers: Record<string, string> = {}): Promise<string> {
  const fields = path === AIRTIME ? VALID_AIRTIME : VALID_SMS;
  const response = await callRaw(gateway, { path, headers, body: { ...fields, phone_number: UNASSIGNED } });
  const sent = [...response.headers].filter(([name]) => !name.startsWith("x-kredo-"));
  const body = (await response.text()).replace(/"request_id":"[^"]+"/, '"request_id":"its own"');
  return JSON.stringify({ status: response.status, headers: sent, body });
}
