import { expect, test } from "vitest";
import { readRequests } from "../../../src/gateway/account/readings/requests.ts";
import type { Pause } from "../../../src/gateway/ports/wall-clock.ts";
import { sendAirtime, type GatewayAnswer } from "../../support/gateway/gateway-client.ts";
import { type PlayedScenario, playShipped, walletOf } from "../../support/gateway/shipped.ts";

test("during the rush, some requests fail, wait or are too many, and in the end the ledger agrees with the wallet", async () => {
  const waits: number[] = [];
  await using played = await playPeak(waits);

  const told = [...(await rush(played)), ...(await rush(played)), ...(await rush(played)), ...(await rush(played))];
  const callbacksEarly = played.callbacks().length;
  await played.advance(600);

  expect(count(told, 429)).toBe(20);
  expect(count(told, 500)).toBeGreaterThan(0);
  expect(count(told, 500)).toBeLessThan(15);
  expect(count(told, 200)).toBe(80 - count(told, 500));
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.length).toBeLessThan(35);
  expect(callbacksEarly).toBe(0);
  expect(played.callbacks().length).toBeGreaterThan(count(told, 200));
  expect(new Set(played.callbacks().map(({ request_id }) => request_id)).size).toBe(count(told, 200));
  expect(walletOf(played)).toEqual({ available: 50_000 - 95 * count(told, 200), held: 0 });
});

test("after a quarter of an hour the rush is over", async () => {
  const waits: number[] = [];
  await using played = await playPeak(waits);

  await played.advance(900);
  const told = [...(await rush(played)), ...(await rush(played))];
  await played.advance(1);

  expect(count(told, 200)).toBe(50);
  expect(waits).toEqual([]);
  expect(played.callbacks()).toHaveLength(50);
  expect(readRequests(played.account.journal.read()).flatMap(({ rules }) => rules?.fired ?? [])).toEqual([]);
});

async function playPeak(waits: number[]): Promise<PlayedScenario> {
  const pause: Pause = async (wait) => {
    if (wait > 0) waits.push(wait);
  };
  return playShipped("friday-evening-peak", { ports: { pause } });
}

/** Twenty-five requests in one second, each to a number of its own. */
async function rush(played: PlayedScenario): Promise<GatewayAnswer[]> {
  const numbers = Array.from({ length: 25 }, (_, index) => `2547123456${String(index).padStart(2, "0")}`);
  const told = await Promise.all(numbers.map((phone_number) => sendAirtime(played, { phone_number })));
  await played.advance(1);
  return told;
}

function count(told: readonly GatewayAnswer[], status: number): number {
  return told.filter((one) => one.status === status).length;
}
