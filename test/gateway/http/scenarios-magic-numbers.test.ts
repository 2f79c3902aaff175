import { expect, test } from "vitest";
import { readCallback } from "../../../src/gateway/account/readings/callback.ts";
import { readScenario } from "../../../src/gateway/scenario/read-scenario.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { askDetails, DETAILS, sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { type PlayedScenario, playShipped, shippedText, walletOf } from "../../support/gateway/shipped.ts";

/** Airtime of KES 100 to the number that ends with these digits; charged with 95. */
function magic(digits: string): { phone_number: string } {
  return { phone_number: `254700000${digits}` };
}

test("has the numbers of the table, and no other", () => {
  const numbers = readScenario(scenarioOf(shippedText("magic-numbers"))).rules.flatMap(
    ({ when }) => when.phone_number ?? [],
  );

  const first = ["401", "402", "403", "422", "429", "500", "110", "201", "202", "203", "204"];
  const second = ["301", "302", "303", "304", "305", "306", "307", "308", "309", "601", "602", "603", "604", "605"];
  expect(numbers).toEqual([...first, ...second].map((digits) => `254700000${digits}`));
});

test.each([
  ["401", "Unauthorized.", { "www-authenticate": 'Basic realm="gateway", charset="UTF-8"' }],
  ["402", "Insufficient funds.", {}],
  ["403", "Access denied.", {}],
  ["422", "Validation failed.", {}],
  ["429", "Too many requests.", { "retry-after": "1" }],
  ["500", "Internal server error.", {}],
])("%s is refused with that code, costs nothing and is never called back", async (digits, description, headers) => {
  await using played = await playShipped("magic-numbers");

  const told = [await sendAirtime(played, magic(digits)), await sendMessage(played, magic(digits))];
  await played.advance(7_200);

  expect(told.map(({ status }) => status)).toEqual([Number(digits), Number(digits)]);
  expect(told[0]?.body).toMatchObject({ status_code: Number(digits), description, request_id: expect.any(String) });
  const sent = Object.fromEntries(told[1]?.headers ?? []);
  expect(sent).toMatchObject(headers);
  expect("retry-after" in sent).toBe("retry-after" in headers);
  expect(walletOf(played)).toEqual({ available: 10_000, held: 0 });
  expect(played.callbacks()).toEqual([]);
});

test("a repeated order is refused before its magic number decides, and the hint says so", async () => {
  await using played = await playShipped("magic-numbers", { settings: { duplicates: "refuse" } });
  await sendAirtime(played, magic("201"));

  const repeated = await sendAirtime(played, magic("201"));

  expect(repeated.status).toBe(422);
  expect(repeated.headers.get("x-kredo-hint")).toBe(
    "duplicates is refuse, and duplicate_window 5m: a repeated order is refused before any scenario applies, including the magic numbers",
  );
});

test("110 is acknowledged after 11 s of wall time", async () => {
  const wall = manualWallClock(0);
  await using played = await playShipped("magic-numbers", { ports: { pause: pauseOn(wall) } });
  const answers: number[] = [];

  const asked = sendAirtime(played, magic("110")).then(({ status }) => answers.push(status));
  await turns(5);
  const held = walletOf(played).held;
  wall.advance(10_999);
  await turns(5);
  const early = answers.length;
  wall.advance(1);
  await asked;

  expect({ held, early, answers }).toEqual({ held: 95, early: 0, answers: [200] });
});

test.each([
  ["201", 500, "the carrier could not complete it.", "Message failed."],
  ["202", 403, "the carrier rejected it.", "Message rejected."],
  ["203", 404, "the number is not on this network.", "Message failed: the number is not on this network."],
])("%s is accepted and then fails with %i", async (digits, result_code, why, report) => {
  await using played = await playShipped("magic-numbers");

  const acks = [await sendAirtime(played, magic(digits)), await sendMessage(played, magic(digits))];
  await played.advance(10);

  const topUp = `Airtime top-up of KES 100.00 to 254700000${digits} failed: ${why}`;
  expect(acks.map(({ status }) => status)).toEqual([200, 200]);
  expect(played.callbacks()).toMatchObject([
    { request_id: acks[0]?.body["request_id"], charge: 0, result_code, result_desc: topUp },
    { request_id: acks[1]?.body["request_id"], charge: 0, result_code, result_desc: report },
  ]);
  expect(walletOf(played)).toEqual({ available: 10_000, held: 0 });
});

test.each([
  ["204", [], 95],
  ["301", [], 0],
  ["302", ["delivered 95", "delivered 95"], 0],
  ["305", ["delivered 95", "failed 95"], 0],
  ["306", ["not JSON"], 0],
  ["307", ["delivered 95 under an unknown id"], 0],
  ["309", ["wrong type: text/plain"], 0],
])("of an order to %s the receiver is told %j", async (digits, told, held) => {
  await using played = await playShipped("magic-numbers");

  const { status, body } = await sendAirtime(played, magic(digits));
  await played.advance(86_400);

  expect(status).toBe(200);
  expect(played.receiver.requests.map((callback) => inWords(callback, body["request_id"]))).toEqual(told);
  expect(walletOf(played)).toEqual({ available: 9_905, held });
});

test("303 is settled in time, and called back an hour later", async () => {
  await using played = await playShipped("magic-numbers");

  await sendAirtime(played, magic("303"));
  await played.advance(3_600);
  const early = played.callbacks();
  const { held } = walletOf(played);
  await played.advance(1);

  expect({ early, held }).toEqual({ early: [], held: 0 });
  expect(played.callbacks()).toMatchObject([{ charge: 95, result_code: 200 }]);
});

test("304 is called back before it is acknowledged", async () => {
  await using played = await playShipped("magic-numbers");

  const { body } = await sendAirtime(played, magic("304"));

  expect(played.callbacks()).toMatchObject([{ request_id: body["request_id"], charge: 95, result_code: 200 }]);
});

test("308 is called back after the next one", async () => {
  await using played = await playShipped("magic-numbers");

  const late = await sendAirtime(played, magic("308"));
  const next = await sendAirtime(played, magic("000"));
  await played.advance(10);

  expect(played.callbacks().map((callback) => callback["request_id"])).toEqual([
    next.body["request_id"],
    late.body["request_id"],
  ]);
});

const NAMED = readScenario(scenarioOf(shippedText("magic-numbers"))).rules.flatMap(
  ({ when }) => when.phone_number ?? [],
);
const UNNAMED = Array.from({ length: 1_000 }, (_, xxx) => `254700000${String(xxx).padStart(3, "0")}`).filter(
  (number) => !NAMED.includes(number),
);

test("000 to 099 and every xxx that is not named behave normally", async () => {
  await using played = await playShipped("magic-numbers");

  const acks = await Promise.all(UNNAMED.map((phone_number) => sendAirtime(played, { phone_number, amount: "5" })));
  await played.advance(10);

  expect(UNNAMED).toHaveLength(975);
  expect(acks.filter(({ status, headers }) => status !== 200 || headers.has("x-kredo-rule"))).toEqual([]);
  expect(played.callbacks().filter((callback) => callback["result_code"] !== 200)).toEqual([]);
  expect(played.callbacks().map((callback) => callback["request_id"])).toEqual(
    acks.map(({ body }) => body["request_id"]),
  );
});

test(`does not concern ${DETAILS}, nor numbers elsewhere`, async () => {
  await using played = await playShipped("magic-numbers");

  const told = [await askDetails(played), await sendAirtime(played, { phone_number: "254712000401" })];

  expect(told.map(({ status }) => status)).toEqual([200, 200]);
});

/** What a receiver reads from a callback's bytes. */
function inWords({ rawHeaders, body }: PlayedScenario["receiver"]["requests"][number], requestId: unknown): string {
  const type = rawHeaders[rawHeaders.findIndex((name) => /^content-type$/i.test(name)) + 1] ?? "";
  const read = readCallback({ headers: { "content-type": type }, body });
  if (read.says === "unreadable") return read.why;
  return `${read.says} ${read.charge}${read.id === requestId ? "" : " under an unknown id"}`;
}
