import { expect, test } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { CLIENT_PATIENCE, isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import {
  AIRTIME,
  askDetails,
  callGateway,
  DETAILS,
  sendAirtime,
  VALID_AIRTIME,
} from "../../support/gateway/gateway-client.ts";
import {
  AUTHORIZATION,
  basic,
  startTestGateway,
  type TestGateway,
  type WrittenSettings,
} from "../../support/gateway/test-gateway.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { WALL_START } from "../../support/gateway/world.ts";

test("says nothing of an ordinary request on a clock that follows wall time", async () => {
  await using sandbox = await startTestGateway({ clock: "real" });

  await sendAirtime(sandbox);
  await sendAirtime(sandbox, { amount: "1" });
  await askDetails(sandbox);

  expect(await traitsOf(sandbox.account)).toEqual([undefined, undefined, undefined]);
});

test.each(["manual", "x10"] as const)("records wall time if the clock is %s", async (clock) => {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await startTestGateway({ clock }, { wall });

  await sendAirtime(sandbox);
  wall.advance(700);
  await sendAirtime(sandbox, { amount: "1" });
  await askDetails(sandbox);

  const traits = [0, 700, 700].map((later) => ({ wallAt: WALL_START + later }));
  expect(await traitsOf(sandbox.account)).toEqual(traits);
});

test.each([
  ["application/json; charset=latin1", ["charset"]],
  ['application/json; v=1; Charset="UTF-16"', ["charset"]],
  ["application/json; charset=utf-8x", ["charset"]],
  ["application/json; charset=utf-8", undefined],
  ['application/json; charset="UTF8"; v=1', undefined],
  ["application/json; charset=", undefined],
  ["application/json; charsets=latin1", undefined],
])("for the Content-Type %s, records as different from the document: %j", async (contentType, lenient) => {
  await using sandbox = await startTestGateway();

  await callGateway(sandbox, { headers: { "content-type": contentType }, body: VALID_AIRTIME });

  expect(await traitsOf(sandbox.account)).toEqual([{ wallAt: expect.any(Number), lenient }]);
});

test.each([
  ["?consumer_key=a&Consumer_Secret=b", ["consumer_key", "consumer_secret"]],
  ["?API_KEY=a&api_key=b&x=y", ["api_key"]],
  ["?key=&secret=&password=&token=&authorization=", ["key", "secret", "password", "token", "authorization"]],
])("names what %s exposes, and none of the values", async (search, exposed) => {
  await using sandbox = await startTestGateway({ clock: "real" });

  await callGateway(sandbox, { path: `${AIRTIME}${search}`, body: VALID_AIRTIME });
  await callGateway(sandbox, { path: `${AIRTIME}${search}`, body: {} });
  await callGateway(sandbox, { path: `${DETAILS}${search}`, method: "GET" });
  await callGateway(sandbox, { path: `${AIRTIME}${search}`, headers: { authorization: basic("sandbox-key", "no") } });

  expect(await traitsOf(sandbox.account)).toEqual(Array.from({ length: 4 }, () => ({ exposed })));
});

test.each(["?phone=1", "?tokens=a", "?", "?x=user@host"])("%s exposes nothing", async (search) => {
  await using sandbox = await startTestGateway({ clock: "real" });

  await callGateway(sandbox, { path: `${AIRTIME}${search}`, body: VALID_AIRTIME });

  expect(await traitsOf(sandbox.account)).toEqual([undefined]);
});

test.each<[WrittenSettings, Record<string, unknown>, string[] | undefined]>([
  [{ amount_type: "lenient" }, { amount: 100 }, ["amount"]],
  [{ amount_type: "lenient" }, { amount: "100" }, undefined],
  [{ phone_numbers: "lenient" }, { phone_number: "+254712345678" }, ["phone_number"]],
  [{ phone_numbers: "lenient" }, { phone_number: "0712345678" }, ["phone_number"]],
  [
    { phone_numbers: "lenient", amount_type: "lenient" },
    { phone_number: "0712345678", amount: 100 },
    ["phone_number", "amount"],
  ],
  [{ phone_numbers: "lenient" }, { phone_number: "254712345678" }, undefined],
])("under %j, %j is in a lenient format in %j", async (config, fields, lenient) => {
  await using sandbox = await startTestGateway({ clock: "real", ...config });

  const { status } = await sendAirtime(sandbox, fields);

  expect(status).toBe(200);
  expect(await traitsOf(sandbox.account)).toEqual([lenient && { lenient }]);
});

test("an order that was read and then refused has its lenient formats recorded, too", async () => {
  await using sandbox = await startTestGateway({ clock: "real", amount_type: "lenient", accounts: [{ balance: "1" }] });

  const { status } = await sendAirtime(sandbox, { amount: 100 });

  expect(status).toBe(402);
  expect(await traitsOf(sandbox.account)).toEqual([{ lenient: ["amount"] }]);
});

test("a client in process leaves by aborting, after so much wall time", async () => {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await startTestGateway({}, { wall, pause: pauseOn(wall) });
  await script(sandbox.account, rule("then: { ack: { delay: 10s } }"));
  const leaving = new AbortController();

  const asked = abortable(sandbox, leaving.signal);
  await allReady();
  wall.advance(2_004);
  leaving.abort();

  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  const { events } = sandbox.account.journal.read();
  const [requestId] = sandbox.account.state.transactions.keys();
  expect(events.at(-1)).toEqual({ kind: "client-left", at: WALL_START, requestId, waited: 2_004 });
});

test("a client in process that hangs gives up with its own reason even after the sandbox has noted that it waits", async () => {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await startTestGateway({}, { wall, pause: pauseOn(wall) });
  await script(sandbox.account, rule("then: { connection: hang_after_accept }"));
  const leaving = new AbortController();
  const reasons: unknown[] = [];

  void abortable(sandbox, leaving.signal).catch((reason) => reasons.push(reason));
  await allReady();
  wall.advance(CLIENT_PATIENCE);
  await allReady();
  const before = [...reasons];
  leaving.abort("enough");
  await allReady();

  expect({ before, reasons }).toEqual({ before: [], reasons: ["enough"] });
});

test("a client in process that aborts once it has its answer did not leave", async () => {
  await using sandbox = await startTestGateway();
  const leaving = new AbortController();

  await abortable(sandbox, leaving.signal);
  await allReady();
  leaving.abort();
  await allReady();

  const { events } = sandbox.account.journal.read();
  expect(events.map(({ kind }) => kind)).toEqual(["opened", "accepted"]);
});

function abortable({ running }: TestGateway, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  const body = JSON.stringify(VALID_AIRTIME);
  return running.fetch(new Request(`http://gateway.test${AIRTIME}`, { method: "POST", headers, body, signal }));
}

async function traitsOf(account: RunningAccount): Promise<unknown[]> {
  const { events } = account.journal.read();
  return events.filter(isRequestEvent).map(({ traits }) => traits);
}
