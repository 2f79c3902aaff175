import { expect, test } from "vitest";
import { composeHeaders } from "../../../src/gateway/adapters/delivery/delivery-target.ts";
import { testControl } from "../../support/control.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

const RECEIVER = "http://receiver.test/hook";

test.each([
  ["X-Token", "secret"],
  ["Authorization", "Bearer t"],
  ["X-Latin", "caf\u00e9"],
])("the settings, an edited resend and a scenario take %s: %s, and it can be sent", async (name, value) => {
  expect(await statusesOf({ [name]: value })).toEqual({ settings: 200, resend: 204, scenario: 201 });
  expect(composeHeaders({ [name]: value }, undefined)).toEqual({ headers: { [name]: value } });
});

test.each([
  ["Connection", "close"],
  ["connection", "keep-alive"],
  ["Content-Length", "3"],
  ["Expect", "100-continue"],
  ["Host", "receiver.test"],
  ["Keep-Alive", "timeout=1"],
  ["Proxy-Connection", "close"],
  ["TE", "trailers"],
  ["Trailer", "x"],
  ["Transfer-Encoding", "chunked"],
  ["UPGRADE", "h2c"],
  ["X Y", "1"],
  ["", "1"],
  ["X-Emoji", "\u{1f600}"],
  ["X-Lines", "a\r\nb: c"],
])("the settings, an edited resend and a scenario refuse %s: %s, as the transport does", async (name, value) => {
  expect(await statusesOf({ [name]: value })).toEqual({ settings: 422, resend: 422, scenario: 422 });
  expect(composeHeaders({ [name]: value }, undefined)).toEqual({ unusable: expect.stringContaining("cannot be sent") });
});

test("all three refuse a Content-Type among the headers, and say where it is written", async () => {
  const { call, account } = testControl();
  const headers = { "Content-Type": "text/plain" };

  const answers = [
    await call("PUT", "/accounts/default/callbacks", { headers }),
    await call("POST", "/accounts/default/callbacks/resend", { request_ids: ["one"], headers }),
    await call("POST", "/accounts/default/scenarios", scenarioWith(headers)),
  ];

  const refusal = { status: 422, body: { repair: "write content_type next to headers, in a scenario or a resend" } };
  expect(answers).toMatchObject([refusal, refusal, refusal]);
  expect(account.state.scenarios).toEqual([]);
});

/** How each place answers that takes headers of callbacks. */
async function statusesOf(headers: Readonly<Record<string, string>>): Promise<Record<string, number>> {
  const { call, account } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  const edited = { request_ids: [requestId], headers };
  return {
    settings: (await call("PUT", "/accounts/default/callbacks", { headers })).status,
    resend: (await call("POST", "/accounts/default/callbacks/resend", edited)).status,
    scenario: (await call("POST", "/accounts/default/scenarios", scenarioWith(headers))).status,
  };
}

function scenarioWith(headers: Readonly<Record<string, string>>): object {
  return { version: 1, name: "headers", rules: [{ name: "r", then: { callback: { headers } } }] };
}
