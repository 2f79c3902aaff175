import { expect, test } from "vitest";
import { readRequests, type RequestRow } from "../../../src/gateway/account/readings/requests.ts";
import type { Pause } from "../../../src/gateway/ports/wall-clock.ts";
import { askDetails, callRaw, sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { type PlayedScenario, playShipped, walletOf } from "../../support/gateway/shipped.ts";
import { WALL_START } from "../../support/gateway/world.ts";

const SAFARICOM = "254712345678";
const AIRTEL = "254733000001";

test("slow-acknowledgments: two that take seconds, and a third that takes longer than a client waits", async () => {
  const waits: number[] = [];
  await using played = await playShipped("slow-acknowledgments", { ports: { pause: writeDown(waits) } });

  const told = [
    await sendAirtime(played),
    await sendMessage(played),
    await sendAirtime(played),
    await sendAirtime(played),
  ];

  expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(waits[2]).toBe(35_000);
  expect(waits.filter((wait) => wait >= 2_000 && wait <= 6_000)).toHaveLength(3);
});

test("bad-afternoon: while Airtel is down its results wait, and at 30 s its backlog drains", async () => {
  await using played = await playBadAfternoon();

  await sendAirtime(played, { phone_number: AIRTEL, amount: "10" });
  await played.advance(10);
  await sendAirtime(played, { phone_number: AIRTEL, amount: "20" });
  await played.advance(19.999);
  const during = played.callbacks();
  const burst = await played.advance(0.001);
  await sendAirtime(played, { phone_number: AIRTEL, amount: "30" });
  const afterwards = await played.advance(1);

  expect(during).toEqual([]);
  expect(burst.map(({ at }) => at - WALL_START)).toEqual([30_000, 30_000]);
  expect(afterwards).toHaveLength(1);
  expect(played.callbacks().map(({ charge }) => charge)).toEqual([9.5, 19, 28.5]);
  expect(await storyOf(played)).toEqual([
    [0, 200, ["Airtel is down, its backlog drains afterwards"]],
    [10, 200, ["Airtel is down, its backlog drains afterwards"]],
    [30, 200, []],
  ]);
});

test("bad-afternoon: the acknowledgment of the first large top-up is lost after the money moved", async () => {
  await using played = await playBadAfternoon();

  const small = await sendAirtime(played, { amount: "99" });
  await expect(callRaw(played, { body: { phone_number: SAFARICOM, amount: "100" } })).rejects.toThrow(TypeError);
  const next = await sendAirtime(played, { amount: "101" });
  const { held } = walletOf(played);
  await played.advance(2);

  expect({ small: small.status, next: next.status }).toEqual({ small: 200, next: 200 });
  expect(held).toBe(94.05 + 95 + 95.95);
  expect(played.callbacks().map(({ charge, result_code }) => [charge, result_code])).toEqual([
    [94.05, 200],
    [95, 200],
    [95.95, 200],
  ]);
  expect(await storyOf(played)).toEqual([
    [0, 200, []],
    [0, 200, ["the acknowledgment is lost after the money moved"]],
    [0, 200, ["every third acknowledgment is slow"]],
  ]);
});

test("bad-afternoon: one delivery report in ten or so comes twice, the second contradicting the first", async () => {
  await using played = await playBadAfternoon();

  await Promise.all(Array.from({ length: 102 }, (_, index) => sendMessage(played, { message: `Habari ${index}` })));
  await played.advance(10);

  const rows = readRequests(played.account.journal.read()).filter(({ statusCode }) => statusCode === 200);
  const twice = rows.filter((row) =>
    rulesOf(row).includes("some reports come twice, the second contradicting the first"),
  );
  expect(rows).toHaveLength(100);
  expect(twice.length).toBeGreaterThan(2);
  expect(twice.length).toBeLessThan(25);
  expect(played.callbacks()).toHaveLength(100 + twice.length);
  expect(twice.map(({ requestId }) => codesFor(played, requestId))).toEqual(twice.map(() => [200, 500]));
  expect(walletOf(played)).toEqual({ available: 420, held: 0 });
});

test("bad-afternoon: the wallet falls to 3.00 after a minute, and the credentials are revoked at 90 s", async () => {
  await using played = await playBadAfternoon();

  const told = [await sendAirtime(played, { amount: "50" })];
  await played.advance(59.999);
  told.push(await sendAirtime(played, { amount: "50" }));
  await played.advance(0.001);
  told.push(await sendAirtime(played, { amount: "50" }), await askDetails(played));
  await played.advance(29.999);
  told.push(await askDetails(played));
  await played.advance(0.001);
  told.push(await askDetails(played));

  expect(told.map(({ status }) => status)).toEqual([200, 200, 402, 200, 200, 401]);
  expect(told[3]?.body).toMatchObject({ organization: { details: { available_balance: 3 } } });
});

async function playBadAfternoon(waits: number[] = [], seed = 1): Promise<PlayedScenario> {
  return playShipped("bad-afternoon", {
    settings: { seed, numbers: { ported_share: 0 } },
    ports: { pause: writeDown(waits) },
  });
}

/** A pause that is over at once. */
function writeDown(waits: number[]): Pause {
  return async (wait) => {
    if (wait > 0) waits.push(wait);
  };
}

/** Each request: at which second of the scenario, what came of it, which rules fired. */
async function storyOf({ account }: PlayedScenario): Promise<unknown[]> {
  return readRequests(account.journal.read()).map((row) => [
    (row.at - WALL_START) / 1_000,
    row.statusCode,
    rulesOf(row),
  ]);
}

function rulesOf({ rules }: RequestRow): string[] {
  return (rules?.fired ?? []).map(({ rule }) => rule);
}

function codesFor(played: PlayedScenario, requestId: string): unknown[] {
  return played.callbacks().flatMap(({ request_id, result_code }) => (request_id === requestId ? [result_code] : []));
}
